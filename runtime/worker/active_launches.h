#ifndef LOCKSTEP_RUNTIME_WORKER_ACTIVE_LAUNCHES_H_
#define LOCKSTEP_RUNTIME_WORKER_ACTIVE_LAUNCHES_H_

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "runtime/cluster/progress.h"
#include "runtime/worker/launch.h"

namespace lockstep::internal {

// The launches of a worker that are queued or run, so that failures from
// elsewhere reach them, and what liveness reports of them. Thread-safe; calls
// launches with no lock held.
class ActiveLaunches {
 public:
  // `failures_kept`: how many failures of launches that are not here (yet) are
  // remembered.
  explicit ActiveLaunches(size_t failures_kept = 1024)
      : failures_kept_(failures_kept) {}

  // Before the launch is queued anywhere. A launch that has failed elsewhere
  // already, or with a host that was lost since its members were looked up, is
  // aborted at once.
  void Add(std::shared_ptr<Launch> launch);
  // The launch is over.
  void Remove(const Launch& launch);

  // Another host failed the launch, which may not have come here yet; or, when
  // its call is over, will not come. False when it is over here, so that
  // nothing tells of the failure.
  bool AbortLaunch(const LaunchKey& key, const absl::Status& cause,
                   bool is_call_over = false);
  // Why another host failed the launch, if that is known here; else OK.
  absl::Status FailureOf(const LaunchKey& key) const;
  // This life of a host is lost: ends what it takes part in, and what comes
  // later.
  void AbortHost(HostId host, Incarnation incarnation,
                 const absl::Status& cause);
  // The launches of one program.
  void AbortProgram(const LoadedProgram& program, const absl::Status& cause);
  void AbortAll(const absl::Status& cause);
  // All that span several hosts, those that come later too.
  void AbortSpanning(const absl::Status& cause);

  // Of every sequence the launches that are not over, the first of many; else
  // the last one.
  std::vector<LaunchProgress> Progress() const;

 private:
  struct Sequence {
    std::deque<std::shared_ptr<Launch>> active;  // in order
    LaunchProgress last;
  };
  struct LostLife {
    HostId host;
    Incarnation incarnation;
    absl::Status cause;
  };
  absl::Status ToldFailure(const LaunchKey& key) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Why `launch` has failed before it came; OK: it has not.
  absl::Status FailureBefore(const Launch& launch) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Launches for which `matches` is true.
  template <typename F>
  std::vector<std::shared_ptr<Launch>> Select(F matches) const;

  const size_t failures_kept_;
  mutable absl::Mutex mutex_;
  std::map<uint64_t, Sequence> sequences_ ABSL_GUARDED_BY(mutex_);
  std::deque<std::pair<LaunchKey, absl::Status>> failures_
      ABSL_GUARDED_BY(mutex_);
  std::deque<LostLife> lost_ ABSL_GUARDED_BY(mutex_);  // the latest ones
  absl::Status spanning_failure_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_ACTIVE_LAUNCHES_H_
