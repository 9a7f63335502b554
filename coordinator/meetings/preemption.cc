#include "coordinator/meetings/preemption.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/cluster/host_ref.h"

namespace lockstep::internal {
namespace {

std::string NameOf(const std::string& whose) {
  return absl::StrCat("agreement on the preemption of ", whose);
}

}  // namespace

std::optional<int64_t> Preemption::Notice(const std::string& whose,
                                          absl::Time deadline, absl::Time now,
                                          Done<int64_t> done) {
  if (round_.has_value()) {
    round_->waiting.push_back(std::move(done));
    return std::nullopt;
  }
  Round round{whose, now, deadline, {}, {}, {}};
  for (HostId host : directory_.AllHosts()) {
    if (directory_.StateOf(host).ok()) round.missing.insert(host);
  }
  if (round.missing.empty()) {
    done(absl::FailedPreconditionError(
        absl::StrCat(NameOf(whose), ": the cluster has no host")));
    return std::nullopt;
  }
  round.waiting.push_back(std::move(done));
  round_ = std::move(round);
  return ++last_number_;
}

std::optional<PreemptionOutcome> Preemption::Answer(HostId host,
                                                    int64_t agreement,
                                                    int64_t last_step) {
  // Else it comes after the deadline, or is of a former life.
  if (!round_.has_value() || agreement != last_number_) return std::nullopt;
  if (round_->missing.erase(host) == 0) return std::nullopt;
  round_->last_steps[host] = last_step;
  return ConcludeWhenComplete();
}

std::optional<PreemptionOutcome> Preemption::Lose(HostId host) {
  if (!round_.has_value()) return std::nullopt;
  round_->missing.erase(host);
  round_->last_steps.erase(host);
  return ConcludeWhenComplete();
}

std::optional<PreemptionOutcome> Preemption::Tick(absl::Time now) {
  if (!round_.has_value() || now < round_->deadline) return std::nullopt;
  return Conclude(Expired(now));
}

absl::Status Preemption::Expired(absl::Time now) const {
  std::vector<std::string> missing;
  for (HostId host : round_->missing) {
    missing.push_back(directory_.Describe(host));
  }
  const size_t answered = round_->last_steps.size();
  return absl::DeadlineExceededError(absl::StrCat(
      NameOf(round_->whose), ": ", answered, " of ", answered + missing.size(),
      " live hosts answered within ", absl::FormatDuration(now - round_->begun),
      "; missing: ", CutList(missing)));
}

std::optional<PreemptionOutcome> Preemption::ConcludeWhenComplete() {
  if (!round_->missing.empty()) return std::nullopt;
  if (round_->last_steps.empty()) {
    return Conclude(absl::AbortedError(
        absl::StrCat(NameOf(round_->whose), ": no host is left")));
  }
  int64_t last = kNoStep;
  for (const auto& [host, step] : round_->last_steps) {
    last = std::max(last, step);
  }
  return Conclude(
      SyncStepAfter(last, agreed_.has_value() ? *agreed_->sync_step : kNoStep));
}

PreemptionOutcome Preemption::Conclude(absl::StatusOr<int64_t> sync_step) {
  const Round round = *std::exchange(round_, std::nullopt);
  PreemptionOutcome outcome{last_number_, std::move(sync_step)};
  if (outcome.sync_step.ok()) agreed_ = outcome;
  for (const Done<int64_t>& done : round.waiting) done(outcome.sync_step);
  return outcome;
}

void Preemption::Add(HostId host) {
  if (round_.has_value()) round_->missing.insert(host);
}

std::optional<int64_t> Preemption::asked() const {
  if (!round_.has_value()) return std::nullopt;
  return last_number_;
}

void Preemption::Clear() {
  if (round_.has_value()) {
    Conclude(absl::AbortedError(
        absl::StrCat(NameOf(round_->whose), ": its hosts have ended")));
  }
  agreed_.reset();
}

}  // namespace lockstep::internal
