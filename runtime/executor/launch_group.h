#ifndef LOCKSTEP_RUNTIME_EXECUTOR_LAUNCH_GROUP_H_
#define LOCKSTEP_RUNTIME_EXECUTOR_LAUNCH_GROUP_H_

#include <functional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "runtime/base/cancellation.h"
#include "runtime/devices/work_scope.h"
#include "runtime/executable/collective_ledger.h"

namespace lockstep::internal {

// The local devices of one launch: nobody executes before all are prepared, and
// the first failure of any of them ends all. Keeps the first cause, for all
// that the launch puts on queues. Thread-safe.
class LaunchGroup : public WorkScope {
 public:
  struct Options {
    int device_count = 1;
    // Runs once, when a local device fails first, with the cause; not after
    // Abort. On the thread that found it, the device's or that of one of its
    // queues, before the others learn of the failure, with no lock held.
    std::function<void(const absl::Status&)> on_failure;
    // How long a device waits for Abort that cannot reach a peer (UNAVAILABLE),
    // since whoever knows why the peer is gone names the first cause; and one
    // with a suspicion (shared_cause.h), after it is reported.
    absl::Duration verdict_grace;
  };
  explicit LaunchGroup(Options options);

  CancellationToken& cancellation() { return cancellation_; }
  CollectiveLedger& ledger() { return ledger_; }
  int device_count() const { return options_.device_count; }

  // A local device failed. The first cause wins.
  void Fail(const absl::Status& cause) override;
  absl::Status status() const override { return cancellation_.status(); }
  // Ends the launch because of somebody else, unless a cause of its own is
  // being reported.
  void Abort(const absl::Status& cause);

  // This device is prepared: waits until all are. The first cause when the
  // launch fails before.
  absl::Status AwaitAllPrepared();

 private:
  bool IsSettled() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return unprepared_ == 0 || is_cancelled_;
  }

  const Options options_;
  CancellationToken cancellation_;
  CollectiveLedger ledger_;
  absl::Mutex mutex_;
  int unprepared_ ABSL_GUARDED_BY(mutex_);
  bool is_cancelled_ ABSL_GUARDED_BY(mutex_) = false;
  bool has_failed_ ABSL_GUARDED_BY(mutex_) = false;
  // The first cause of this process, which nothing that follows from it may
  // replace. OK: none, or one to which a better one may come.
  absl::Status reported_ ABSL_GUARDED_BY(mutex_);
  CancellationToken::Registration wake_up_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTOR_LAUNCH_GROUP_H_
