#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CONVOLUTION_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CONVOLUTION_H_

#include <cstddef>
#include <memory>

#include "absl/status/status.h"
#include "runtime/ops/convolution_dimensions.h"
#include "runtime/types/shape.h"

namespace lockstep {

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

// By MakeBlockedMatrixMultiply, whose packing takes the windows out of the
// input: any type and groups of either kind. No padding, nothing dilated on the
// left, kernels not reversed. Null for types without a product.
std::unique_ptr<Convolution> MakeBlockedConvolution(
    const ConvolutionParameters& parameters, const Shape& lhs, const Shape& rhs,
    const Shape& result);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CONVOLUTION_H_
