#ifndef LOCKSTEP_RUNTIME_WORKER_PREEMPTION_POINT_H_
#define LOCKSTEP_RUNTIME_WORKER_PREEMPTION_POINT_H_

#include <cstdint>
#include <map>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "runtime/cluster/preemption.h"

namespace lockstep::internal {

// How far the program of one host is, and where it saves before a preemption
// (spec M-28). Owned by the worker. Thread-safe; asks nobody.
class PreemptionPoint {
 public:
  // The program has come to `step`: whether that is a sync step. Waits while an
  // agreement is made for which this host was asked before. INVALID_ARGUMENT:
  // steps must grow. Why an agreement failed comes once, from the calls that
  // wait for it, or else from the next one, unless a later one has succeeded.
  absl::StatusOr<bool> Reach(int64_t step);

  // The last step that the program has come to, for `agreement`. From here on
  // it comes to no other until that has its outcome.
  int64_t AnswerFor(int64_t agreement);
  void Conclude(const PreemptionOutcome& outcome);
  // No outcome comes any more: calls that wait get `why`, later ones no sync
  // step.
  void Close(const absl::Status& why);

  // Whether another notice would change nothing here: an agreement is being
  // made, or its sync step is ahead.
  bool HasNotice() const;

 private:
  // Takes `step` out of ahead_, and what is before it; whether it was there.
  bool Pass(int64_t step) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  mutable absl::Mutex mutex_;
  int64_t last_step_ ABSL_GUARDED_BY(mutex_) = kNoStep;
  // Numbers of agreements: the latest for which this host was asked, that has
  // its outcome, that failed (0: a later one did not), whose failure the
  // program knows.
  int64_t asked_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t concluded_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t failed_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t told_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);  // of failed_
  // Sync steps that the program has not come to, and whether this life took
  // part in the agreement. Several where another host has passed the first.
  std::map<int64_t, bool> ahead_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_PREEMPTION_POINT_H_
