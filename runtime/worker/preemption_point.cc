#include "runtime/worker/preemption_point.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "runtime/base/logging.h"

namespace lockstep::internal {

absl::StatusOr<bool> PreemptionPoint::Reach(int64_t step) {
  absl::MutexLock lock(&mutex_);
  if (step <= last_step_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "reached_preemption_sync_point: steps must grow from 0 on; found step ",
        step,
        last_step_ == kNoStep ? ", the first one"
                              : absl::StrCat(" after step ", last_step_)));
  }
  // Before the wait: who asks meanwhile, for a later agreement, finds a program
  // that does not stop before it has passed this step.
  last_step_ = step;
  const int64_t agreement = asked_;
  const bool waits = concluded_ < agreement;
  const auto is_concluded = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return concluded_ >= agreement;
  };
  mutex_.Await(absl::Condition(&is_concluded));
  // First: what failed may be a later agreement.
  if (Pass(step)) return true;
  if (waits ? failed_ >= agreement : failed_ > told_) {
    told_ = failed_;
    return failure_;
  }
  return false;
}

bool PreemptionPoint::Pass(int64_t step) {
  const auto end = ahead_.lower_bound(step);
  bool is_sync_step = false;
  for (auto it = ahead_.begin(); it != end; ++it) {
    // Another life of this host may have come to the step.
    if (!it->second) continue;
    if (it->first == kFirstStep) {
      // This is it: when this life took part, it had not come to any.
      is_sync_step = true;
      continue;
    }
    LogWarning(absl::StrCat("the program came to step ", step,
                            " without the one at which hosts save before the "
                            "preemption, ",
                            it->first));
  }
  ahead_.erase(ahead_.begin(), end);
  return ahead_.erase(step) > 0 || is_sync_step;
}

int64_t PreemptionPoint::AnswerFor(int64_t agreement) {
  absl::MutexLock lock(&mutex_);
  asked_ = std::max(asked_, agreement);
  return last_step_;
}

void PreemptionPoint::Conclude(const PreemptionOutcome& outcome) {
  absl::MutexLock lock(&mutex_);
  concluded_ = std::max(concluded_, outcome.agreement);
  if (!outcome.sync_step.ok()) {
    failed_ = outcome.agreement;
    failure_ = outcome.sync_step.status();
    return;
  }
  failed_ = 0;  // who has not heard of it has a step to save at
  ahead_[*outcome.sync_step] |= outcome.agreement <= asked_;
}

void PreemptionPoint::Close(const absl::Status& why) {
  absl::MutexLock lock(&mutex_);
  if (concluded_ < asked_) {
    failed_ = asked_;
    failure_ = why;
  }
  concluded_ = std::numeric_limits<int64_t>::max();
}

bool PreemptionPoint::HasNotice() const {
  absl::MutexLock lock(&mutex_);
  const int64_t last = last_step_;
  return concluded_ < asked_ || std::any_of(
                                    ahead_.begin(), ahead_.end(),
                                    [last](const auto& ahead) {
                                      return ahead.second && ahead.first > last;
                                    });
}

}  // namespace lockstep::internal
