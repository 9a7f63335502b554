#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_THUNK_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/backends/cuda/cuda_kernel.h"
#include "runtime/backends/kernel_emitter.h"
#include "runtime/cuda/driver_api.h"
#include "runtime/devices/cuda/cuda_queue.h"
#include "runtime/executable/tensor_slice.h"
#include "runtime/executable/thunk.h"

namespace lockstep::internal {

// The queue on which `thunk` executes. FAILED_PRECONDITION: it is another
// platform's.
absl::StatusOr<CudaQueue*> CudaQueueFor(const Thunk& thunk,
                                        const ExecuteContext& context);
cuda::CUdeviceptr CudaAddressOf(const BufferSlice& slice,
                                const ExecuteContext& context);

// Puts a kernel on a CUDA queue: with `inputs` buffers that it reads, then
// those that it writes, and `scratch` where its program has such memory.
class CudaKernelThunk : public Thunk {
 public:
  CudaKernelThunk(std::string name, std::string location,
                  std::shared_ptr<const CudaKernel> kernel,
                  const std::vector<TensorSlice>& buffers, size_t inputs,
                  std::string details = "", BufferSlice scratch = {});

  std::vector<BufferUse> buffer_uses() const override { return uses_; }
  std::string Details() const override { return details_; }
  // FAILED_PRECONDITION: a queue of another platform.
  absl::Status Execute(ExecuteContext& context) const override;

 private:
  const std::shared_ptr<const CudaKernel> kernel_;
  const std::string details_;
  std::vector<BufferUse> uses_;
};

// A dynamic_update_slice: the operand is copied where the result is not the
// same memory, then a kernel of kind kUpdateSlice puts the update into it.
class CudaUpdateSliceThunk : public Thunk {
 public:
  CudaUpdateSliceThunk(const KernelRequest& request,
                       std::shared_ptr<const CudaKernel> kernel);

  std::vector<BufferUse> buffer_uses() const override;
  absl::Status Execute(ExecuteContext& context) const override;

 private:
  const BufferSlice operand_;
  const BufferSlice result_;
  const CudaKernelThunk update_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_KERNEL_THUNK_H_
