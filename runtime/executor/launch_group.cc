#include "runtime/executor/launch_group.h"

#include <utility>

#include "runtime/cluster/shared_cause.h"

namespace lockstep::internal {

LaunchGroup::LaunchGroup(Options options)
    : options_(std::move(options)), unprepared_(options_.device_count) {
  wake_up_ = cancellation_.OnCancel([this] {
    absl::MutexLock lock(&mutex_);
    is_cancelled_ = true;
  });
}

void LaunchGroup::Fail(const absl::Status& cause) {
  bool is_first = false;
  {
    absl::MutexLock lock(&mutex_);
    if (absl::IsUnavailable(cause)) {
      mutex_.AwaitWithTimeout(absl::Condition(&is_cancelled_),
                              options_.verdict_grace);
    }
    is_first = !has_failed_ && !is_cancelled_;
    has_failed_ = true;
    // The report goes round, and may be back as Abort, or as the failure of
    // another device, before it has returned here.
    if (is_first && !absl::IsUnavailable(cause) && !IsSuspicion(cause)) {
      reported_ = cause;
    }
  }
  if (is_first && options_.on_failure) options_.on_failure(cause);
  if (IsSuspicion(cause)) {
    absl::MutexLock lock(&mutex_);
    mutex_.AwaitWithTimeout(absl::Condition(&is_cancelled_),
                            options_.verdict_grace);
  }
  Abort(cause);
}

void LaunchGroup::Abort(const absl::Status& cause) {
  absl::Status first = cause;
  {
    absl::MutexLock lock(&mutex_);
    if (!reported_.ok()) first = reported_;
  }
  cancellation_.Cancel(first);
}

absl::Status LaunchGroup::AwaitAllPrepared() {
  {
    absl::MutexLock lock(&mutex_);
    --unprepared_;
    mutex_.Await(absl::Condition(this, &LaunchGroup::IsSettled));
  }
  return cancellation_.status();
}

}  // namespace lockstep::internal
