#include "runtime/devices/host/thread_queue.h"

#include <cstring>

#include "absl/synchronization/notification.h"
#include "runtime/devices/host_rows.h"

namespace lockstep::internal {

void ThreadQueue::Add(std::function<void()> operation) {
  absl::MutexLock lock(&mutex_);
  if (thread_ == nullptr) thread_ = std::make_unique<ThreadPool>(name_, 1);
  thread_->Schedule(std::move(operation));
}

void ThreadQueue::AwaitIdle() {
  absl::Notification idle;
  {
    absl::MutexLock lock(&mutex_);
    if (thread_ == nullptr) return;
    thread_->Schedule([&idle] { idle.Notify(); });
  }
  idle.WaitForNotification();
}

void ThreadQueue::CallHost(WorkScope& scope,
                           std::function<absl::Status()> call) {
  Add([&scope, call = std::move(call)] {
    if (!scope.status().ok()) return;
    if (absl::Status status = call(); !status.ok()) scope.Fail(status);
  });
}

void ThreadQueue::Copy(WorkScope& scope, DeviceAddress to, DeviceAddress from) {
  CopyToHost(scope, to.host_bytes(), from);
}

void ThreadQueue::CopyRows(WorkScope& scope, int64_t rows, int64_t row_size,
                           DeviceAddress to, int64_t to_pitch,
                           DeviceAddress from, int64_t from_pitch) {
  if (row_size == 0) return;
  CallHost(scope, [=] {
    CopyHostRows(rows, row_size, to.host_bytes(), to_pitch, from.host_bytes(),
                 from_pitch);
    return absl::OkStatus();
  });
}

void ThreadQueue::CopyFromHost(WorkScope& scope, DeviceAddress to,
                               const std::byte* from) {
  if (to.size() == 0) return;
  CallHost(scope, [to, from] {
    std::memmove(to.host_bytes(), from, static_cast<size_t>(to.size()));
    return absl::OkStatus();
  });
}

void ThreadQueue::CopyToHost(WorkScope& scope, std::byte* to,
                             DeviceAddress from) {
  if (from.size() == 0) return;
  CallHost(scope, [to, from] {
    std::memmove(to, from.host_bytes(), static_cast<size_t>(from.size()));
    return absl::OkStatus();
  });
}

void ThreadQueue::Fill(WorkScope& scope, DeviceAddress to, std::byte value) {
  if (to.size() == 0) return;
  CallHost(scope, [to, value] {
    std::memset(to.host_bytes(), static_cast<int>(value),
                static_cast<size_t>(to.size()));
    return absl::OkStatus();
  });
}

void ThreadQueue::Wait(WorkScope& scope, std::shared_ptr<DeviceEvent> event) {
  if (event == nullptr) return;
  Add([&scope, event = std::move(event)] {
    if (absl::Status status = event->Await(); !status.ok()) scope.Fail(status);
  });
}

std::shared_ptr<DeviceEvent> ThreadQueue::Record(WorkScope& scope) {
  auto event = std::make_shared<DeviceEvent>();
  Add([&scope, event] { event->Finish(scope.status()); });
  return event;
}

}  // namespace lockstep::internal
