#include "runtime/executor/device_queue.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace lockstep {

DeviceQueue::DeviceQueue(GlobalDeviceId device, int64_t memory_bytes)
    : device_(device),
      memory_(device, memory_bytes),
      thread_(absl::StrCat("device ", device.value()), 1) {}

void DeviceQueue::Enqueue(std::function<void()> task) {
  const int64_t turn = TakeTurn();
  thread_.Schedule([this, turn, task = std::move(task)]() mutable {
    AwaitTurn(turn);
    task();
    // What the task holds is gone before the queue counts as idle.
    task = nullptr;
    Finish();
  });
}

void DeviceQueue::EnqueueTogether(std::vector<DeviceQueue*> queues,
                                  std::function<void()> task) {
  std::vector<int64_t> turns;
  for (DeviceQueue* queue : queues) turns.push_back(queue->TakeTurn());
  DeviceQueue& first = *queues[0];
  first.thread_.Schedule([queues = std::move(queues), turns = std::move(turns),
                          task = std::move(task)]() mutable {
    for (size_t i = 0; i < queues.size(); ++i) queues[i]->AwaitTurn(turns[i]);
    task();
    task = nullptr;
    for (DeviceQueue* queue : queues) queue->Finish();
  });
}

int64_t DeviceQueue::TakeTurn() {
  absl::MutexLock lock(&mutex_);
  return queued_++;
}

bool DeviceQueue::TryTakeTurn() {
  absl::MutexLock lock(&mutex_);
  if (queued_ != finished_) return false;
  ++queued_;
  return true;
}

void DeviceQueue::RunInTurn(const std::function<void()>& task) {
  task();
  Finish();
}

void DeviceQueue::AwaitTurn(int64_t turn) {
  absl::MutexLock lock(&mutex_);
  auto has_come = [this, turn]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return finished_ == turn;
  };
  mutex_.Await(absl::Condition(&has_come));
}

void DeviceQueue::Finish() {
  absl::MutexLock lock(&mutex_);
  ++finished_;
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
