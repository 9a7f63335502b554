#ifndef LOCKSTEP_RUNTIME_DEVICES_DEVICE_EVENT_H_
#define LOCKSTEP_RUNTIME_DEVICES_DEVICE_EVENT_H_

#include <functional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace lockstep::internal {

// A moment of a device's work: pending, then done or failed with the first
// cause of what came before it. Where a pointer to one is null, the work is
// done. Thread-safe.
class DeviceEvent {
 public:
  DeviceEvent() = default;
  virtual ~DeviceEvent() = default;
  DeviceEvent(const DeviceEvent&) = delete;
  DeviceEvent& operator=(const DeviceEvent&) = delete;

  bool is_ready() const;
  // Waits. OK, the failure, or DEADLINE_EXCEEDED.
  absl::Status Await(absl::Time deadline = absl::InfiniteFuture()) const;
  // Runs `callback` with the outcome: at once when there is one, else on the
  // thread that brings it. Must be short.
  void OnReady(std::function<void(const absl::Status&)> callback);

  // By whoever does the work; once.
  void Finish(absl::Status status);

 private:
  mutable absl::Mutex mutex_;
  bool is_ready_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::function<void(const absl::Status&)>> callbacks_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_DEVICE_EVENT_H_
