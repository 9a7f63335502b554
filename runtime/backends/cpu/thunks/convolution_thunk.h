#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_CONVOLUTION_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_CONVOLUTION_THUNK_H_

#include <memory>
#include <string>
#include <vector>

#include "runtime/backends/cpu/contraction/convolution.h"
#include "runtime/backends/cpu/thunks/scratch_tensor.h"
#include "runtime/executable/host_thunk.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// stablehlo.convolution, by oneDNN where it has code. Operands of other types
// than the result are converted first, f16 to f32. A dilated input is read as
// it lies where oneDNN has the transposed convolution; else it is first written
// out with its zeros, as is one that is cut by its padding, and a reversed
// kernel in its order. Batch groups become feature groups for oneDNN.
class ConvolutionThunk : public HostThunk {
 public:
  // Null for empty tensors and types without a product.
  static std::unique_ptr<ConvolutionThunk> Create(const KernelRequest& request);

  std::vector<BufferUse> buffer_uses() const override;
  std::string Details() const override { return details_; }
  absl::Status ExecuteOnHost(HostContext& context) const override;

 private:
  ConvolutionThunk(const KernelRequest& request,
                   ConvolutionParameters parameters);
  // What remains for `convolution_` after padding and reordering.
  void PrepareForTransposed();
  void PrepareForOneDnn();
  void PrepareForChannels();
  void PrepareForBlocks();
  void PlanPadding(bool pads_all);

  // Each takes the tensor as the one before leaves it.
  absl::StatusOr<ScratchTensor> PaddedInput(const std::byte* lhs) const;
  absl::StatusOr<ScratchTensor> GroupedInput(const std::byte* lhs) const;
  absl::StatusOr<ScratchTensor> OrderedKernel(const std::byte* rhs) const;

  const TensorSlice lhs_;
  const TensorSlice rhs_;
  const TensorSlice result_;
  const ConvolutionParameters parameters_;
  // The spatial dims of the kernel that are written out in the other order.
  std::vector<bool> reverses_;
  // In the type that is computed with.
  const Shape lhs_shape_;
  const Shape rhs_shape_;
  const Shape result_shape_;
  bool pads_ = false;
  bool groups_features_ = false;
  Shape padded_;
  Shape grouped_;
  ConvolutionParameters rest_;
  std::unique_ptr<Convolution> convolution_;
  std::string details_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_THUNKS_CONVOLUTION_THUNK_H_
