#include "runtime/backends/cuda/cuda_stream_thunk.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/cuda/cuda_driver.h"

namespace lockstep::internal {

absl::StatusOr<CudaQueue*> CudaQueueFor(const Thunk& thunk,
                                        const ExecuteContext& context) {
  CudaQueue* const queue = AsCudaQueue(*context.queue);
  if (queue != nullptr) return queue;
  return absl::FailedPreconditionError(absl::StrCat(
      thunk.location(), ": ", thunk.kind(),
      " was compiled for the platform cuda, and the device is another's"));
}

cuda::CUdeviceptr CudaAddressOf(const BufferSlice& slice,
                                const BufferTable& buffers) {
  return reinterpret_cast<uintptr_t>(buffers.Address(slice).device_bytes());
}

absl::Status CudaStreamThunk::Execute(ExecuteContext& context) const {
  ASSIGN_OR_RETURN(CudaQueue* const queue, CudaQueueFor(*this, context));
  // The context is there until the queue has come through.
  queue->Enqueue(
      *context.scope,
      [this, queue, &context](const cuda::CudaDriver&, cuda::CUstream stream) {
        return PutOnStream(queue->device(), stream, context.buffers);
      });
  return absl::OkStatus();
}

}  // namespace lockstep::internal
