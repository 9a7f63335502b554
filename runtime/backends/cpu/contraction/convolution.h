#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CONTRACTION_CONVOLUTION_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CONTRACTION_CONVOLUTION_H_

#include <cstddef>
#include <memory>

#include "absl/status/status.h"
#include "runtime/ops/geometry/convolution_dimensions.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// A convolution made ready for its shapes. Immutable and thread-safe.
class Convolution {
 public:
  virtual ~Convolution() = default;
  virtual absl::Status Run(const std::byte* lhs, const std::byte* rhs,
                           std::byte* result, int threads) const = 0;
};

// By oneDNN: f32 and bf16, dilated kernels, any order of dims, feature groups;
// padding of 0 or more, nothing dilated on the left, kernels not reversed
// (ConvolutionThunk makes it so). Null for others, and where oneDNN has only
// its reference code.
std::unique_ptr<Convolution> MakeOneDnnConvolution(
    const ConvolutionParameters& parameters, const Shape& lhs, const Shape& rhs,
    const Shape& result);

// Those that are dilated on the left, with windows side by side, whose kernels
// are reversed in all dims: what the gradient of a convolution, and a
// transposed one, is. By oneDNN's gradient, which reads no zeros. Runs on the
// kernel as it lies. Null for others, for padding beyond the kernel and for
// large kernels.
std::unique_ptr<Convolution> MakeOneDnnTransposedConvolution(
    const ConvolutionParameters& parameters, const Shape& lhs, const Shape& rhs,
    const Shape& result);

// As a product of matrices (matrix_multiply.h) that takes the windows out of
// the input: groups of either kind, no padding, nothing dilated on the left,
// kernels not reversed. For channels that are convolved each by itself, side by
// side in memory; null for others.
std::unique_ptr<Convolution> MakeInterleavedConvolution(
    const ConvolutionParameters& parameters, const Shape& lhs, const Shape& rhs,
    const Shape& result);
// Of any type that has a product, else null.
std::unique_ptr<Convolution> MakeBlockedConvolution(
    const ConvolutionParameters& parameters, const Shape& lhs, const Shape& rhs,
    const Shape& result);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CONTRACTION_CONVOLUTION_H_
