#ifndef LOCKSTEP_RUNTIME_EXECUTOR_DEVICE_QUEUE_H_
#define LOCKSTEP_RUNTIME_EXECUTOR_DEVICE_QUEUE_H_

#include <functional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "runtime/base/thread_pool.h"
#include "runtime/executor/device_memory.h"
#include "runtime/mesh/ids.h"

namespace lockstep {

// A CPU device: an ordered queue with a thread of its own, which runs one task
// at a time. Launches that
// involve several devices must be queued on all of them in one order, or they
// wait for each other. The destructor runs what is queued. Thread-safe.
class DeviceQueue {
 public:
  // `memory_bytes`: 0 = unknown.
  DeviceQueue(GlobalDeviceId device, int64_t memory_bytes);

  GlobalDeviceId device() const { return device_; }
  // For tasks of this queue only.
  DeviceMemory& memory() { return memory_; }

  void Enqueue(std::function<void()> task);
  // `task` is the next of all `queues` and runs once, on the thread of the
  // first.
  static void EnqueueTogether(std::vector<DeviceQueue*> queues,
                              std::function<void()> task);

  // Takes the next turn for the calling thread, when nothing is queued or runs:
  // a short task costs less here than its way to the queue's thread. What is
  // queued afterwards waits until RunInTurn, which must follow, has run `task`.
  bool TryTakeTurn();
  void RunInTurn(const std::function<void()>& task);

  // Waits until everything queued so far has run. DEADLINE_EXCEEDED names the
  // device and how many tasks remain.
  absl::Status AwaitIdle(absl::Time deadline);

 private:
  int64_t TakeTurn();
  void AwaitTurn(int64_t turn);
  void Finish();

  const GlobalDeviceId device_;
  DeviceMemory memory_;
  absl::Mutex mutex_;
  int64_t queued_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t finished_ ABSL_GUARDED_BY(mutex_) = 0;
  ThreadPool thread_;  // last: its tasks use the members above
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_EXECUTOR_DEVICE_QUEUE_H_
