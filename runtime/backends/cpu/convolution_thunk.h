#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CONVOLUTION_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CONVOLUTION_THUNK_H_

#include <memory>
#include <vector>

#include "runtime/backends/cpu/convolution.h"
#include "runtime/backends/kernel_emitter.h"
#include "runtime/executable/thunk.h"

namespace lockstep {

// stablehlo.convolution. An input that is dilated or cut by its padding is
// first written out with its zeros, a reversed kernel in its order.
class ConvolutionThunk : public Thunk {
 public:
  // Null when there is no code for the types or the groups.
  static std::unique_ptr<ConvolutionThunk> Create(const KernelRequest& request);

  std::vector<BufferUse> buffer_uses() const override;
  absl::Status Execute(ExecuteContext& context) const override;

 private:
  ConvolutionThunk(const KernelRequest& request,
                   ConvolutionParameters parameters);

  // The padded input; kernel in its order. Empty when they are as they should.
  absl::StatusOr<Literal> PaddedInput(const std::byte* lhs) const;
  absl::StatusOr<Literal> OrderedKernel(const std::byte* rhs) const;

  const TensorSlice lhs_;
  const TensorSlice rhs_;
  const TensorSlice result_;
  const ConvolutionParameters parameters_;
  bool pads_ = false;
  bool reverses_ = false;
  Shape padded_;
  std::unique_ptr<Convolution> convolution_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CONVOLUTION_THUNK_H_
