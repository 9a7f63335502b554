#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_THUNK_H_

#include <memory>
#include <string>
#include <vector>

#include "runtime/backends/cuda/cuda_copy_thunk.h"
#include "runtime/backends/cuda/cuda_kernel.h"
#include "runtime/backends/cuda/cuda_stream_thunk.h"
#include "runtime/executable/tensor_slice.h"
#include "runtime/kernels/kernel_request.h"

namespace lockstep::internal {

// Puts a kernel on a stream: with `inputs` buffers that it reads, then those
// that it writes, and `scratch` where its program has such memory.
class CudaKernelThunk : public CudaStreamThunk {
 public:
  CudaKernelThunk(std::string name, std::string location,
                  std::shared_ptr<const CudaKernel> kernel,
                  const std::vector<TensorSlice>& buffers, size_t inputs,
                  std::string details = "", BufferSlice scratch = {});

  std::vector<BufferUse> buffer_uses() const override { return uses_; }
  std::string Details() const override { return details_; }
  absl::Status PutOnStream(CudaDevice& device, cuda::CUstream stream,
                           const BufferTable& buffers) const override;

 private:
  const std::shared_ptr<const CudaKernel> kernel_;
  const std::string details_;
  std::vector<BufferUse> uses_;
};

// A dynamic_update_slice or scatter: the operand is copied where the result is
// not the same memory, then a kernel of kind kUpdateSlice or kScatter puts the
// updates into it.
class CudaUpdateThunk : public CudaStreamThunk {
 public:
  CudaUpdateThunk(const KernelRequest& request,
                  std::shared_ptr<const CudaKernel> kernel);

  std::vector<BufferUse> buffer_uses() const override;
  absl::Status PutOnStream(CudaDevice& device, cuda::CUstream stream,
                           const BufferTable& buffers) const override;

 private:
  const BufferSlice operand_;
  const BufferSlice result_;
  const CudaCopyThunk copy_;
  const CudaKernelThunk update_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_THUNK_H_
