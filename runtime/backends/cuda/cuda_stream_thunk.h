#ifndef LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_STREAM_THUNK_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_STREAM_THUNK_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/cuda/driver_api.h"
#include "runtime/devices/cuda/cuda_device.h"
#include "runtime/devices/cuda/cuda_queue.h"
#include "runtime/executable/buffer_table.h"
#include "runtime/executable/buffer_use.h"
#include "runtime/executable/thunk.h"

namespace lockstep::internal {

// The queue on which `thunk` executes. FAILED_PRECONDITION: it is another
// platform's.
absl::StatusOr<CudaQueue*> CudaQueueFor(const Thunk& thunk,
                                        const ExecuteContext& context);
cuda::CUdeviceptr CudaAddressOf(const BufferSlice& slice,
                                const BufferTable& buffers);

// A thunk that does nothing but put work on a stream. What it puts there
// follows from the device and the addresses of the allocations in its
// buffer_uses, so that a graph may run it again. Has no nested sequences and
// needs no Prepare.
class CudaStreamThunk : public Thunk {
 public:
  using Thunk::Thunk;

  // The context of `device` is current. Errors of the driver have the device's
  // name. The stream may be captured, if this has succeeded on the device
  // before: what has to be loaded or asked for is there then.
  virtual absl::Status PutOnStream(CudaDevice& device, cuda::CUstream stream,
                                   const BufferTable& buffers) const = 0;

  // FAILED_PRECONDITION: a queue of another platform.
  absl::Status Execute(ExecuteContext& context) const final;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CUDA_CUDA_STREAM_THUNK_H_
