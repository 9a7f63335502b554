#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_DOT_FUSION_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_DOT_FUSION_THUNK_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/backends/cuda/cuda_dot_thunk.h"
#include "runtime/backends/cuda/cuda_kernel.h"
#include "runtime/backends/cuda/cuda_matrix_multiply.h"
#include "runtime/backends/cuda/cuda_stream_thunk.h"
#include "runtime/backends/cuda/dot_fusion_plan.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// A dot with what follows it, by cuBLASLt at once. On devices where the library
// cannot, the dot alone and then a kernel on its result. Errors are as those of
// CudaDotThunk.
class CudaDotFusionThunk : public CudaStreamThunk {
 public:
  // `dot` computes the result and has the fusion's scratch; `rest` has the
  // buffers result, bias if there is one, result.
  CudaDotFusionThunk(const KernelRequest& request, const DotFusionPlan& fusion,
                     std::shared_ptr<const CudaMatrixMultiply> multiply,
                     std::unique_ptr<const CudaDotThunk> dot,
                     std::shared_ptr<const CudaKernel> rest);

  std::vector<BufferUse> buffer_uses() const override;
  // "1x64x32x128 by cuBLASLt with bias and relu".
  std::string Details() const override;
  absl::Status PutOnStream(CudaDevice& device, cuda::CUstream stream,
                           const BufferTable& buffers) const override;

 private:
  std::optional<BufferSlice> bias_;
  const std::shared_ptr<const CudaMatrixMultiply> multiply_;
  const std::unique_ptr<const CudaDotThunk> dot_;
  const std::shared_ptr<const CudaKernel> rest_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_DOT_FUSION_THUNK_H_
