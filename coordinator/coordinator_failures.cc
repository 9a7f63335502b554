// What the coordinator does when time passes and when something goes wrong.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "coordinator/coordinator.h"
#include "coordinator/coordinator_turn.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/cluster/failure.h"

namespace lockstep::internal {
namespace {

// A coordinator that was not run for longer has itself to blame for silence.
constexpr absl::Duration kLongestPause = absl::Seconds(1);

}  // namespace

void Coordinator::Tick() {
  Turn turn(this);
  const absl::Time now = Now();
  const absl::Duration pause = now - last_tick_;
  if (last_tick_ != absl::InfinitePast() && pause > kLongestPause) {
    LogWarning(absl::StrCat("the coordinator stood still for ",
                            absl::FormatDuration(pause)));
    liveness_.Excuse(pause, now);
    links_.Excuse(pause, now);
  }
  last_tick_ = now;
  members_.Tick(now);
  FollowMembers();
  EndDifferentCalls();
  CheckLinks(now);
  PushRosterSoon();
  readiness_.Tick(now);
  ShowWhenReady();
  // Lists of all hosts are made only for what waits too long.
  ActOn(liveness_.Check(Waits(now - options_.named_after), now));
  barriers_.Tick(now);
  rolls_.Tick(now);
  CheckOwnCommands(now);
  TellOutcome(preemption_.Tick(now));
  agreements_.Tick(now);
  axes_.Tick(members_.world_index(), now);
  key_values_.Tick(now);
  for (HeldFailure& held : std::exchange(held_failures_, {})) {
    if (now < held.until) {
      held_failures_.push_back(std::move(held));
    } else {
      const bool is_suspicion = IsSuspicion(held.failure.status);
      held.failure.status = AsVerdict(std::move(held.failure.status));
      HandleLaunchFailure(held.origin, held.failure, is_suspicion);
    }
  }
  AnswerLeavers();
  for (const std::string& line : failure_lines_.Tick(now)) LogWarning(line);
}

std::vector<PendingWait> Coordinator::Waits(absl::Time begun_by) const {
  std::vector<PendingWait> waits;
  const auto add = [&](std::vector<PendingWait> some) {
    std::move(some.begin(), some.end(), std::back_inserter(waits));
  };
  add(barriers_.Waits(begun_by));
  add(agreements_.Waits(begun_by));
  add(axes_.Waits(begun_by));
  add(rolls_.Waits(begun_by));
  return waits;
}

void Coordinator::ActOn(const Liveness::Findings& findings) {
  for (const Liveness::Naming& naming : findings.namings) {
    LogWarning(naming.line);
    PushToMembers(
        [&](WorkerLink& link) { link.PushNotice(naming.line, naming.host); });
    PushToClients(
        [line = naming.line](ClientLink& link) { link.PushNotice(line); });
  }
  EndLaunches(findings.launch_ends);
  for (const Liveness::Death& death : findings.deaths) {
    EndHost(death.host, death.condition, death.cause);
  }
}

void Coordinator::EndCall(CallLedger::CallDifference difference) {
  LaunchFailure failure;
  failure.launch = difference.call;
  failure.participants = std::move(difference.participants);
  failure.status = std::move(difference.status);
  failure.is_shared = true;
  HandleLaunchFailure(difference.origin, failure, true);
}

void Coordinator::EndUnequalCounts() {
  for (CallLedger::CallDifference& difference : calls_.UnequalCounts()) {
    if (!failures_.HasFailed(difference.call)) EndCall(std::move(difference));
  }
}

void Coordinator::EndDifferentCalls() {
  for (CallLedger::CallDifference& difference : calls_.Tick(Now())) {
    EndCall(std::move(difference));
  }
  // The meeting's own rules, and the reports of the calls, tell more, before.
  EndPassedMeetings(std::nullopt,
                    options_.mismatch_patience + 2 * options_.report_interval);
}

void Coordinator::EndPassedMeetings(std::optional<HostId> by,
                                    absl::Duration patience) {
  for (const PendingWait& wait : Waits(Now() - patience)) {
    if (wait.call.number == LaunchNumber()) continue;
    for (HostId missing : wait.missing) {
      if (by.has_value() && missing != *by) continue;
      if (!calls_.IsOver(missing, wait.call)) continue;
      LaunchFailure failure;
      failure.launch = wait.call;
      failure.participants = {missing};
      for (const HostRef& host : wait.arrived) {
        failure.participants.push_back(host.id);
      }
      failure.status = absl::FailedPreconditionError(absl::StrCat(
          "hosts make different calls: ", HostList(wait.arrived),
          wait.arrived.size() == 1 ? " is in the " : " are in the ", wait.what,
          " of ", CallText(wait.call.number, wait.call_text), "; ",
          ToString(Ref(missing)), " has made ",
          CallText(wait.call.number, calls_.TextOf(missing, wait.call)),
          " without it, with a program that all hosts agreed on before: values "
          "that a function captures must be the same on all hosts, and a "
          "function that is made anew with other ones is made anew on all"));
      failure.is_shared = true;
      HandleLaunchFailure(Ref(missing), failure, true);
      break;
    }
  }
}

void Coordinator::EndLaunches(const std::vector<Liveness::LaunchEnd>& ends) {
  struct Told {
    Failure failure;
    std::vector<HostId> last;
  };
  std::vector<Told> told;
  for (const Liveness::LaunchEnd& end : ends) {
    if (failures_.HasFailed(end.launch.launch)) continue;
    LaunchFailure failure;
    failure.launch = end.launch.launch;
    failure.program = end.launch.program;
    failure.participants = end.launch.participants;
    failure.collective = end.launch.collective_name;
    failure.status = end.cause;
    failure.is_shared = end.is_shared;
    std::optional<Failure> first = RecordFailure(end.origin, failure);
    if (first.has_value()) told.push_back({*std::move(first), end.waiting});
  }
  // A host that hears that its own wait is over goes on, perhaps to another
  // launch of these: that one's end must have come before.
  for (const Told& end : told) {
    for (HostId host : end.failure.participants) {
      if (std::count(end.last.begin(), end.last.end(), host) == 0) {
        PushFailure(host, end.failure);
      }
    }
  }
  for (const Told& end : told) {
    FailMeetings(end.failure);
    for (HostId host : end.last) PushFailure(host, end.failure);
  }
}

void Coordinator::CheckLinks(absl::Time now) {
  const LinkWatch::Changes changes = links_.Check(now);
  for (const CutLink& link : changes.cut) {
    const std::string line(link.cause.message());
    LogWarning(line);
    PushToMembers([&](WorkerLink& to) { to.PushNotice(line, std::nullopt); });
    PushToClients([line](ClientLink& to) { to.PushNotice(line); });
  }
  for (const CutLink& link : changes.restored) {
    LogInfo(absl::StrCat(ToString(link.first), " and ", ToString(link.second),
                         " reach each other again"));
  }
  if (changes.is_any) {
    const std::vector<CutLink> cut = links_.cut();
    PushToMembers([&](WorkerLink& to) { to.PushCutLinks(cut); });
  }
  for (const CutLink& link : links_.cut()) {
    for (const LaunchProgress& launch :
         liveness_.WaitsBetween(link.first.id, link.second.id)) {
      EndLaunches({{launch, link.first, link.cause}});
    }
  }
}

void Coordinator::LoseInMeetings(const HostRef& host,
                                 const absl::Status& cause) {
  barriers_.Lose(host, cause);
  agreements_.Lose(host, cause);
  axes_.Lose(host, cause);
  rolls_.Lose(host, members_.epoch());
  TellOutcome(preemption_.Lose(host.id));
}

void Coordinator::EndHost(HostId host, HostCondition condition,
                          const absl::Status& cause) {
  const MemberRecord* member = members_.Find(host);
  if (member == nullptr || !member->is_alive()) return;
  const HostRef ref = member->ref();
  const bool has_left = condition == HostCondition::kLeft;
  const std::string running = has_left ? "" : liveness_.RunningWith(host);
  liveness_.End(host, condition);
  links_.Remove(host);
  LoseInMeetings(ref, cause);
  launch_order_.Lose(host);
  const std::shared_ptr<WorkerLink> link = member->link;
  if (!has_left) {
    LogError(StatusLine(cause));
    const Failure failure = failures_.AddHostFailure(ref, cause, running);
    for (const MemberRecord& other : members_.members()) {
      if (other.is_alive() && other.id != host) {
        other.link->PushFailure(failure);
      }
    }
    PushToClients([failure](ClientLink& link) { link.PushFailure(failure); });
    key_values_.EndWaits(failure.ToStatus());
    for (HeldFailure& held : std::exchange(held_failures_, {})) {
      const auto& participants = held.failure.participants;
      if (std::count(participants.begin(), participants.end(), host) > 0) {
        held.failure.status = failure.ToStatus();
        HandleLaunchFailure(held.origin, held.failure, false);
      } else {
        held_failures_.push_back(std::move(held));
      }
    }
  }
  key_values_.EndLease(ref.incarnation);
  members_.End(host, has_left ? MemberState::kLeft : MemberState::kDead,
               std::string(cause.message()), Now());
  if (!has_left) {
    link->Close(absl::FailedPreconditionError(
        absl::StrCat("incarnation ", ToString(ref.incarnation), " of ",
                     ToString(ref), " was declared dead: ", cause.message())));
  }
  FollowMembers();
}

std::optional<absl::Time> Coordinator::HeldUntil(const LaunchFailure& failure,
                                                 HostId origin) const {
  if (IsSuspicion(failure.status)) return Now() + options_.mismatch_patience;
  if (!absl::IsUnavailable(failure.status)) return std::nullopt;
  for (HostId host : failure.participants) {
    const MemberRecord* member = members_.Find(host);
    if (host != origin && member != nullptr && member->is_alive() &&
        (!member->is_connected ||
         Now() - liveness_.LastReport(host) > 1.5 * options_.report_interval)) {
      return Now() + options_.silence;
    }
  }
  return std::nullopt;
}

void Coordinator::ReportLaunchFailure(Incarnation caller,
                                      LaunchFailure failure) {
  Turn turn(this);
  const auto member = members_.FindAlive(caller);
  if (!member.ok()) return;
  const HostRef origin = (*member)->ref();
  if (const std::optional<absl::Time> until = HeldUntil(failure, origin.id)) {
    held_failures_.push_back({origin, std::move(failure), *until});
    return;
  }
  HandleLaunchFailure(origin, failure, false);
}

std::optional<Failure> Coordinator::RecordFailure(
    const HostRef& origin, const LaunchFailure& failure) {
  std::optional<Failure> first = failures_.AddLaunchFailure(origin, failure);
  LaunchFailure told = failure;
  if (!failure.is_shared) {
    told.status = FailedOn(origin, failure.status,
                           first.has_value() ? first->running : "");
  }
  TellClientOf(told);
  if (!first.has_value()) return first;
  const std::string where = absl::StrCat(" failed on ", ToString(origin));
  if (failure_lines_.Admits(absl::StrCat("launches", where), Now())) {
    LogWarning(
        absl::StrCat(first->running, where, ": ", StatusLine(failure.status)));
  }
  return first;
}

void Coordinator::HandleLaunchFailure(const HostRef& origin,
                                      const LaunchFailure& failure,
                                      bool tell_origin) {
  const std::optional<Failure> first = RecordFailure(origin, failure);
  if (!first.has_value()) {
    // It waits for a verdict that was told to the hosts of another call alone.
    const Failure* const known = failures_.Find(failure.launch);
    if (tell_origin && known != nullptr &&
        std::count(known->participants.begin(), known->participants.end(),
                   origin.id) == 0) {
      PushFailure(origin.id, *known);
    }
    return;
  }
  FailMeetings(*first);
  for (HostId host : failure.participants) {
    if (host != origin.id || tell_origin) PushFailure(host, *first);
  }
}

void Coordinator::FailMeetings(const Failure& failure) {
  axes_.FailCall(*failure.launch, failure.ToStatus());
  agreements_.FailCall(*failure.launch, failure.ToStatus());
}

void Coordinator::PushFailure(HostId host, const Failure& failure) {
  if (WorkerLink* const link = LinkOf(host)) link->PushFailure(failure);
}

WorkerLink* Coordinator::LinkOf(HostId host) const {
  const MemberRecord* member = members_.Find(host);
  if (member != nullptr && member->is_alive()) return member->link.get();
  // One that has left waits for the others, and still says what it hears.
  for (const Leaver& leaver : leavers_) {
    if (leaver.host == host) return leaver.link.get();
  }
  return nullptr;
}

void Coordinator::TellClientOf(const LaunchFailure& failure) {
  if (failure.command == 0) return;
  // Once: the first error is the one that counts.
  std::optional<LaunchOrder::Placed> placed =
      launch_order_.TakeLaunch(failure.command);
  if (!placed.has_value()) return;
  auto client = clients_.find(placed->client);
  if (client == clients_.end()) return;
  effects_.push_back(
      [link = client->second.link,
       launch = std::get<LaunchProgram>(std::move(placed->command.action)),
       status = failure.status] { link->PushLaunchFailed(launch, status); });
}

void Coordinator::AnswerLeavers() {
  const bool is_over = !members_.AnyAlive();
  const bool is_late = std::any_of(
      leavers_.begin(), leavers_.end(),
      [&](const Leaver& leaver) { return Now() >= leaver.deadline; });
  if (!is_over && !is_late) return;
  std::vector<HostRef> alive;
  for (const MemberRecord& member : members_.members()) {
    if (member.is_alive()) alive.push_back(member.ref());
  }
  for (Leaver& leaver : std::exchange(leavers_, {})) {
    if (!is_over && Now() < leaver.deadline) {
      leavers_.push_back(std::move(leaver));
      continue;
    }
    if (is_over) {
      leaver.done(Nothing());
    } else {
      leaver.done(absl::DeadlineExceededError(absl::StrCat(
          "shutdown of ", leaver.who, ": ", HostList(alive),
          " had not left after ", absl::FormatDuration(Now() - leaver.since))));
    }
    if (leaver.link != nullptr) leaver.link->Close(absl::OkStatus());
  }
}

}  // namespace lockstep::internal
