#include "runtime/devices/device_event.h"

#include <utility>

#include "runtime/base/check.h"

namespace lockstep::internal {

bool DeviceEvent::is_ready() const {
  absl::MutexLock lock(&mutex_);
  return is_ready_;
}

absl::Status DeviceEvent::Await(absl::Time deadline) const {
  absl::MutexLock lock(&mutex_);
  if (!mutex_.AwaitWithDeadline(absl::Condition(&is_ready_), deadline)) {
    return absl::DeadlineExceededError("the device's work is not done");
  }
  return status_;
}

void DeviceEvent::OnReady(std::function<void(const absl::Status&)> callback) {
  absl::Status status;
  {
    absl::MutexLock lock(&mutex_);
    if (!is_ready_) {
      callbacks_.push_back(std::move(callback));
      return;
    }
    status = status_;
  }
  callback(status);
}

void DeviceEvent::Finish(absl::Status status) {
  std::vector<std::function<void(const absl::Status&)>> callbacks;
  {
    absl::MutexLock lock(&mutex_);
    LOCKSTEP_CHECK(!is_ready_);
    is_ready_ = true;
    status_ = status;
    callbacks.swap(callbacks_);
  }
  for (const auto& callback : callbacks) callback(status);
}

}  // namespace lockstep::internal
