#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_LAUNCH_FAILURES_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_LAUNCH_FAILURES_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "runtime/collectives/launch_id.h"

namespace lockstep::internal {

// Fails a launch in the whole process and tells those it concerns; the first
// cause wins. Called with no lock held.
using FailLaunch = std::function<void(const LaunchId&, const absl::Status&)>;

// The launches of one process that failed, each with its first cause, so that
// who arrives late for one gets the same error as those who waited. Remembers
// the latest `capacity` failures. Thread-safe.
class LaunchFailures {
 public:
  // Somebody who may be waiting within a launch.
  class Listener {
   public:
    virtual ~Listener() = default;
    // Runs on the thread that reports the failure, with no lock held.
    virtual void OnLaunchFailed(const LaunchId& launch,
                                const absl::Status& cause) = 0;
  };

  explicit LaunchFailures(size_t capacity = 4096) : capacity_(capacity) {}

  // Records the failure and tells the listeners; `cause` must not be OK. False
  // (and nothing is done) when the launch has failed before.
  bool Fail(const LaunchId& launch, const absl::Status& cause);

  // The cause, or OK.
  absl::Status Find(const LaunchId& launch) const;

  // Listens as long as `listener` lives.
  void Listen(std::weak_ptr<Listener> listener);

 private:
  const size_t capacity_;
  mutable absl::Mutex mutex_;
  absl::flat_hash_map<LaunchId, absl::Status> causes_ ABSL_GUARDED_BY(mutex_);
  std::deque<LaunchId> order_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::weak_ptr<Listener>> listeners_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_LAUNCH_FAILURES_H_
