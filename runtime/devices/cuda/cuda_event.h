#ifndef LOCKSTEP_RUNTIME_DEVICES_CUDA_CUDA_EVENT_H_
#define LOCKSTEP_RUNTIME_DEVICES_CUDA_CUDA_EVENT_H_

#include <functional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "runtime/cuda/driver_api.h"
#include "runtime/devices/device_event.h"

namespace lockstep::internal {

class CudaDevice;

// CUevents of one context, used again and again. Thread-safe.
class CudaEventPool {
 public:
  explicit CudaEventPool(CudaDevice& device) : device_(device) {}
  // All of them are back; the context is current.
  ~CudaEventPool();

  // The context is current.
  absl::StatusOr<cuda::CUevent> Take();
  void GiveBack(cuda::CUevent event);

 private:
  CudaDevice& device_;
  absl::Mutex mutex_;
  std::vector<cuda::CUevent> events_ ABSL_GUARDED_BY(mutex_);
};

// A moment of a CudaQueue. Until the stream has it, the queue holds it; from
// then on other streams can wait for it without the host.
class CudaEvent final : public DeviceEvent {
 public:
  // Whether the stream has it, or it is over.
  bool is_recorded() const;
  void AwaitRecorded() const;
  // Whether work before it writes to memory of the host. Once it is recorded.
  bool writes_to_host() const;
  // Calls `wait` with the CUevent, which is one until it returns; not when the
  // event is over.
  absl::Status WithCUevent(
      const std::function<absl::Status(cuda::CUevent)>& wait) const;

  // By its queue: the stream has it as `event`; null: it could not be.
  void SetRecorded(cuda::CUevent event, bool writes_to_host);
  // By its queue, before Finish: the CUevent is another's from here on.
  void DropCUevent();

 private:
  mutable absl::Mutex mutex_;
  bool is_recorded_ ABSL_GUARDED_BY(mutex_) = false;
  bool writes_to_host_ ABSL_GUARDED_BY(mutex_) = false;
  cuda::CUevent event_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_CUDA_CUDA_EVENT_H_
