#include "runtime/executor/device_queue.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace lockstep {

DeviceQueue::DeviceQueue(GlobalDeviceId device, int64_t memory_bytes)
    : device_(device),
      memory_(device, memory_bytes),
      thread_(absl::StrCat("device ", device.value()), 1) {}

void DeviceQueue::Enqueue(std::function<void()> task) {
  {
    absl::MutexLock lock(&mutex_);
    ++queued_;
  }
  thread_.Schedule([this, task = std::move(task)]() mutable {
    task();
    // What the task holds is gone before the queue counts as idle.
    task = nullptr;
    absl::MutexLock lock(&mutex_);
    ++finished_;
  });
}

absl::Status DeviceQueue::AwaitIdle(absl::Time deadline) {
  absl::MutexLock lock(&mutex_);
  const int64_t target = queued_;
  auto has_run = [this, target]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return finished_ >= target;
  };
  if (!mutex_.AwaitWithDeadline(absl::Condition(&has_run), deadline)) {
    return absl::DeadlineExceededError(
        absl::StrCat("device ", device_.value(), " has not finished ",
                     target - finished_, " of its launches"));
  }
  return absl::OkStatus();
}

}  // namespace lockstep
