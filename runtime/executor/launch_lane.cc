#include "runtime/executor/launch_lane.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

LaunchLane::LaunchLane(GlobalDeviceId id, LocalDevice& device)
    : id_(id),
      device_(device),
      arena_(id, device),
      thread_(absl::StrCat("device ", id.value()), 1) {}

void LaunchLane::Enqueue(std::function<void()> task) {
  const int64_t turn = TakeTurn();
  thread_.Schedule([this, turn, task = std::move(task)]() mutable {
    AwaitTurn(turn);
    task();
    // What the task holds is gone before the lane counts as idle.
    task = nullptr;
    Finish();
  });
}

void LaunchLane::EnqueueTogether(std::vector<LaunchLane*> lanes,
                                 std::function<void()> task) {
  std::vector<int64_t> turns;
  for (LaunchLane* lane : lanes) turns.push_back(lane->TakeTurn());
  LaunchLane& first = *lanes[0];
  first.thread_.Schedule([lanes = std::move(lanes), turns = std::move(turns),
                          task = std::move(task)]() mutable {
    for (size_t i = 0; i < lanes.size(); ++i) lanes[i]->AwaitTurn(turns[i]);
    task();
    task = nullptr;
    for (LaunchLane* lane : lanes) lane->Finish();
  });
}

int64_t LaunchLane::TakeTurn() {
  absl::MutexLock lock(&mutex_);
  return queued_++;
}

bool LaunchLane::TryTakeTurn() {
  absl::MutexLock lock(&mutex_);
  if (queued_ != finished_) return false;
  ++queued_;
  return true;
}

void LaunchLane::RunInTurn(const std::function<void()>& task) {
  task();
  Finish();
}

void LaunchLane::AwaitTurn(int64_t turn) {
  absl::MutexLock lock(&mutex_);
  auto has_come = [this, turn]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return finished_ == turn;
  };
  mutex_.Await(absl::Condition(&has_come));
}

void LaunchLane::Finish() {
  absl::MutexLock lock(&mutex_);
  ++finished_;
}

absl::Status LaunchLane::AwaitIdle(absl::Time deadline) {
  {
    absl::MutexLock lock(&mutex_);
    const int64_t target = queued_;
    auto has_run = [this, target]() ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
      return finished_ >= target;
    };
    if (!mutex_.AwaitWithDeadline(absl::Condition(&has_run), deadline)) {
      return absl::DeadlineExceededError(
          absl::StrCat("device ", id_.value(), " has not finished ",
                       target - finished_, " of its launches"));
    }
  }
  auto scope = std::make_shared<FirstFailure>();
  const std::shared_ptr<DeviceEvent> idle =
      device_.compute_queue().Record(*scope);
  if (idle == nullptr) return absl::OkStatus();
  idle->OnReady([scope](const absl::Status&) {});
  if (idle->Await(deadline).ok()) return absl::OkStatus();
  return absl::DeadlineExceededError(
      absl::StrCat("device ", id_.value(), " has not finished its launches"));
}

}  // namespace lockstep::internal
