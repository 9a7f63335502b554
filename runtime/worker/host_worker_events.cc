// HostWorker: what the coordinator tells.
#include "absl/strings/str_cat.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/worker/host_worker.h"

namespace lockstep::internal {
namespace {

// A failure of another host, with what this host was calling there.
absl::Status WithOwnCall(const absl::Status& status, LaunchNumber number,
                         const std::string& text) {
  if (text.empty()) return status;
  absl::Status result(
      status.code(),
      absl::StrCat(status.message(), "; here: ", CallText(number, text)));
  status.ForEachPayload([&](absl::string_view url, const absl::Cord& payload) {
    result.SetPayload(url, payload);
  });
  return result;
}

}  // namespace

void HostWorker::OnRoster(const Roster& roster) {
  {
    absl::MutexLock lock(&mutex_);
    cluster_.Update(roster);
    sequences_.DropEnded([&](const HostRef& host) ABSL_EXCLUSIVE_LOCKS_REQUIRED(
                             mutex_) { return cluster_.IsCurrent(host); });
  }
  if (absl::Status status = ApplyRoster(); !status.ok()) {
    LogWarning(absl::StrCat("new members: ", StatusLine(status)));
  }
  if (options_.observer != nullptr) options_.observer->OnRoster(roster);
}

void HostWorker::OnFailure(const Failure& failure) {
  absl::Status status = failure.ToStatus();
  if (failure.launch) {
    if (!failure.is_shared) {
      status = WithOwnCall(status, failure.launch->number,
                           sequences_.TextOf(*failure.launch));
    }
    const bool is_told = active_.AbortLaunch(
        *failure.launch, status, sequences_.IsOver(*failure.launch));
    absl::MutexLock lock(&mutex_);
    // No launch will tell of it any more.
    if (!is_told || is_shut_down_) LogWarning(StatusLine(status));
  } else {
    {
      absl::MutexLock lock(&mutex_);
      cluster_.MarkLost(failure.origin, status);
    }
    active_.AbortHost(failure.origin.id, failure.origin.incarnation, status);
  }
  if (options_.observer != nullptr) options_.observer->OnFailure(failure);
}

void HostWorker::OnNotice(const Notice& notice) {
  if (options_.observer != nullptr) {
    options_.observer->OnNotice(notice);
  } else {
    LogWarning(notice.message);
  }
}

void HostWorker::OnCutLinks(const std::vector<CutLink>& links) {
  absl::MutexLock lock(&mutex_);
  cluster_.SetCutLinks(links);
}

int64_t HostWorker::OnPreemption(int64_t agreement) {
  return preemption_point_.AnswerFor(agreement);
}

void HostWorker::OnPreemptionOutcome(const PreemptionOutcome& outcome) {
  preemption_point_.Conclude(outcome);
  if (outcome.sync_step.ok()) {
    LogInfo(absl::StrCat("a preemption is coming: all hosts save at ",
                         SyncStepText(*outcome.sync_step)));
  } else {
    LogWarning(StatusLine(outcome.sync_step.status()));
  }
}

void HostWorker::OnCommand(const Command& command) {
  if (options_.observer != nullptr) options_.observer->OnCommand(command);
}

void HostWorker::OnShutdown(absl::string_view reason) {
  if (options_.observer != nullptr) options_.observer->OnShutdown(reason);
}

void HostWorker::OnCoordinatorLost(const absl::Status& status) {
  // Refused, not unreachable: for whoever waits for this host it is lost.
  absl::Status cause = status;
  if (absl::IsFailedPrecondition(status)) {
    absl::MutexLock lock(&mutex_);
    const Member* self = cluster_.roster().Find(host_id_);
    if (self != nullptr) cause = AbortedBy(self->host, status, "");
  }
  active_.AbortSpanning(cause);
  preemption_point_.Close(cause);
  if (options_.observer != nullptr)
    options_.observer->OnCoordinatorLost(status);
}

}  // namespace lockstep::internal
