// Coordinator: agreements on preemptions.
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "coordinator/coordinator_turn.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

void Coordinator::NoticePreemption(Incarnation caller, absl::Duration timeout) {
  Turn turn(this);
  const auto member = members_.FindAlive(caller);
  if (!member.ok()) return;
  BeginPreemption(ToString((*member)->ref()), timeout,
                  [](const absl::StatusOr<int64_t>&) {});
}

void Coordinator::RequestPreemption(const std::string& host,
                                    absl::Duration timeout,
                                    Done<int64_t> done) {
  Turn turn(this);
  done = Later(std::move(done));
  if (is_closed_) return done(ServerEnds());
  if (!members_.is_formed()) {
    return done(absl::FailedPreconditionError("the cluster is not complete"));
  }
  for (const MemberRecord& member : members_.members()) {
    if (member.is_alive() && !member.info.service_address.empty()) {
      return done(absl::FailedPreconditionError(absl::StrCat(
          ToString(member.ref()),
          " is a daemon, whose programs are those of its clients: there is "
          "none here that has steps and could save")));
    }
  }
  if (host.empty()) {
    return BeginPreemption("the cluster", timeout, std::move(done));
  }
  const absl::StatusOr<HostRef> found = FindHost(host);
  if (!found.ok()) return done(found.status());
  BeginPreemption(ToString(*found), timeout, std::move(done));
}

absl::StatusOr<HostRef> Coordinator::FindHost(const std::string& text) const {
  int32_t id = -1;
  const bool is_number = absl::SimpleAtoi(text, &id);
  for (const MemberRecord& member : members_.members()) {
    if (member.info.name != text && !(is_number && member.id == HostId(id))) {
      continue;
    }
    if (member.is_alive()) return member.ref();
    return absl::FailedPreconditionError(
        absl::StrCat(ToString(member.ref()), ": ", member.state_reason));
  }
  return absl::NotFoundError(absl::StrCat("no host with the id or name '", text,
                                          "' in the cluster of ",
                                          members_.members().size(), " hosts"));
}

void Coordinator::AnswerPreemption(Incarnation caller, int64_t agreement,
                                   int64_t last_step) {
  Turn turn(this);
  const auto member = members_.FindAlive(caller);
  if (!member.ok()) return;
  TellOutcome(preemption_.Answer((*member)->id, agreement, last_step));
}

void Coordinator::BeginPreemption(const std::string& whose,
                                  absl::Duration timeout, Done<int64_t> done) {
  const std::optional<int64_t> agreement = preemption_.Notice(
      whose, Now() + Or(timeout, options_.preemption_deadline), Now(),
      std::move(done));
  if (!agreement.has_value()) return;
  LogWarning(absl::StrCat("a preemption of ", whose, " is coming; asking ",
                          members_.alive_count(),
                          " hosts for their last step"));
  PushToMembers([&](WorkerLink& link) { link.PushPreemption(*agreement); });
}

void Coordinator::TellOutcome(const std::optional<PreemptionOutcome>& outcome) {
  if (!outcome.has_value()) return;
  if (outcome->sync_step.ok()) {
    LogInfo(absl::StrCat("before the preemption all hosts save at ",
                         SyncStepText(*outcome->sync_step)));
  } else {
    LogWarning(StatusLine(outcome->sync_step.status()));
  }
  PushToMembers(
      [&](WorkerLink& link) { link.PushPreemptionOutcome(*outcome); });
}

void Coordinator::TellOfPreemption(const MemberRecord& member) {
  preemption_.Add(member.id);
  if (const std::optional<int64_t> asked = preemption_.asked()) {
    member.link->PushPreemption(*asked);
  } else if (preemption_.agreed().has_value()) {
    member.link->PushPreemptionOutcome(*preemption_.agreed());
  }
}

}  // namespace lockstep::internal
