#ifndef LOCKSTEP_RUNTIME_EXECUTOR_LAUNCH_LANE_H_
#define LOCKSTEP_RUNTIME_EXECUTOR_LAUNCH_LANE_H_

#include <functional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "runtime/base/thread_pool.h"
#include "runtime/devices/local_device.h"
#include "runtime/executor/launch_arena.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// Where the launches of one device begin, one after the other, on a thread of
// its own; they go on on the device's queue. Launches that involve several
// devices must be queued on all their lanes in one order, or they wait for each
// other. The destructor runs what is queued. Thread-safe.
class LaunchLane {
 public:
  // `device` outlives the lane; `id` is what it is called in the cluster.
  LaunchLane(GlobalDeviceId id, LocalDevice& device);

  GlobalDeviceId id() const { return id_; }
  LocalDevice& device() const { return device_; }
  // For tasks of this lane only.
  LaunchArena& arena() { return arena_; }

  void Enqueue(std::function<void()> task);
  // `task` is the next of all `lanes` and runs once, on the thread of the
  // first.
  static void EnqueueTogether(std::vector<LaunchLane*> lanes,
                              std::function<void()> task);

  // Takes the next turn for the calling thread, when nothing is queued or runs:
  // a short task costs less here than its way to the lane's thread. What is
  // queued afterwards waits until RunInTurn, which must follow, has run `task`.
  bool TryTakeTurn();
  void RunInTurn(const std::function<void()>& task);

  // Waits until everything queued so far has run, and what it left on the
  // device's queue. DEADLINE_EXCEEDED names the device.
  absl::Status AwaitIdle(absl::Time deadline);

 private:
  int64_t TakeTurn();
  void AwaitTurn(int64_t turn);
  void Finish();

  const GlobalDeviceId id_;
  LocalDevice& device_;
  LaunchArena arena_;
  absl::Mutex mutex_;
  int64_t queued_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t finished_ ABSL_GUARDED_BY(mutex_) = 0;
  ThreadPool thread_;  // last: its tasks use the members above
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTOR_LAUNCH_LANE_H_
