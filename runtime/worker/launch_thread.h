#ifndef LOCKSTEP_RUNTIME_WORKER_LAUNCH_THREAD_H_
#define LOCKSTEP_RUNTIME_WORKER_LAUNCH_THREAD_H_

#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"

namespace lockstep {

// Which thread launches programs that span several hosts. Two threads that do
// would race for the order, which must be the same on every host (spec M-19).
// The first thread to launch has the right until it ends. Thread-safe.
class LaunchThread {
 public:
  // FAILED_PRECONDITION names both threads when another one has the right.
  absl::Status Claim();

 private:
  struct Thread {
    std::string name;  // "thread 4711 (trainer)"
  };
  // Of the calling thread; expires when the thread ends.
  static std::shared_ptr<const Thread> Current();

  absl::Mutex mutex_;
  std::weak_ptr<const Thread> owner_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_WORKER_LAUNCH_THREAD_H_
