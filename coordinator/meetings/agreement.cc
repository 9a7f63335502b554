#include "coordinator/meetings/agreement.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "coordinator/meetings/agreement_difference.h"
#include "runtime/cluster/failure.h"
#include "runtime/cluster/shared_cause.h"

namespace lockstep::internal {
namespace {

std::string NameOf(const std::string& program) {
  return absl::StrCat("agreement on program ", program);
}

}  // namespace

void Agreements::Arrive(const HostRef& host, AgreementRecord record,
                        absl::Duration timeout, absl::Time now,
                        Done<AgreementAnswer> done) {
  const HostSet all = directory_.AllHosts();
  const HostSet participants =
      all.IsSameAs(record.participants) ? all : HostSet(record.participants);
  const std::string name = NameOf(record.program);
  for (HostId participant : participants == all ? HostSet() : participants) {
    if (directory_.Knows(participant)) continue;
    return done(absl::InvalidArgumentError(absl::StrCat(
        name, ": no host ", participant.value(), " in the cluster")));
  }
  if (!participants.contains(host.id)) {
    return done(absl::InvalidArgumentError(absl::StrCat(
        name, ": ", ToString(host), " is not among the participants ",
        HostList(directory_, participants))));
  }
  const std::string key =
      record.digest.empty() ? record.key : DigestKey(record.key);
  Meetings::Meeting* meeting = meetings_.Find(key, host.id, participants);
  if (meeting == nullptr) {
    meeting = &meetings_.Open(key, participants, now + timeout);
  }
  const bool was_open = !meeting->outcome.has_value();
  if (was_open && meeting->HasArrived(host.id)) {
    return done(absl::FailedPreconditionError(absl::StrCat(
        name, ": another thread of ", ToString(host), " waits in it")));
  }
  // Ten thousand records with ten thousand participants each are hundreds of
  // megabytes.
  if (participants == all) record.participants = std::vector<HostId>();
  meetings_.Arrive(*meeting, {host, std::move(record), now, std::move(done)});
  if (!was_open) return;
  if (meeting->arrivals.size() == 1) {  // who ends later is lost to the meeting
    if (const auto ended = FirstEnded(directory_, participants)) {
      meeting->uncollected.erase(*ended);
      return meetings_.Conclude(
          *meeting,
          AbortedBy(directory_.Ref(*ended), directory_.StateOf(*ended), name));
    }
  }
  ConcludeIfDecided(*meeting, now);
}

absl::StatusOr<AgreementAnswer> Agreements::Verdict(
    const Meetings::Meeting& meeting) {
  std::vector<HostRecord> records;
  for (const auto& arrival : meeting.arrivals) {
    if (!arrival.value.error.ok()) {
      return AbortedBy(arrival.host, arrival.value.error,
                       NameOf(arrival.value.program));
    }
    records.push_back({arrival.host, arrival.value});
  }
  const AgreementRecord& first = records.front().record;
  const bool is_equal = std::all_of(
      records.begin(), records.end(),
      [&](const HostRecord& each) { return AreEqual(each.record, first); });
  if (is_equal) return AgreementAnswer::kEqual;
  if (!first.digest.empty()) return AgreementAnswer::kFieldsWanted;
  const std::string difference = AgreementDifference(records);
  const bool is_call = first.call.number != LaunchNumber();
  // Shared: a host that hears of it by another one's failure of the call hears
  // the same.
  return AsSharedCause(absl::FailedPreconditionError(absl::StrCat(
      "program ", first.program, " differs between hosts",
      is_call ? absl::StrCat(" in call ", first.call.number.value()) : "", ": ",
      difference)));
}

void Agreements::ConcludeIfDecided(Meetings::Meeting& meeting, absl::Time now) {
  const auto& latest = meeting.arrivals.back().value;
  const auto& first = meeting.arrivals.front().value;
  if (!AreEqual(latest, first) && meeting.close_at == absl::InfiniteFuture()) {
    meeting.close_at = now + patience_;
  }
  if (latest.error.ok() && !meeting.IsComplete() && now < meeting.close_at) {
    return;
  }
  // The host that cannot take part gets its own error, the others ABORTED.
  auto& arrival = meeting.arrivals.back();
  if (!arrival.value.error.ok()) {
    std::exchange(arrival.done, nullptr)(arrival.value.error);
  }
  meetings_.Conclude(meeting, Verdict(meeting));
}

void Agreements::Cancel(const HostRef& host, const std::string& key) {
  const absl::Status cancelled =
      absl::CancelledError("the agreement was cancelled by the caller");
  for (const std::string& each : {key, DigestKey(key)}) {
    meetings_.Cancel(each, host.id, cancelled,
                     AbortedBy(host, cancelled, "agreement"));
  }
}

void Agreements::Lose(const HostRef& host, const absl::Status& cause) {
  meetings_.Lose(host.id, [&](const Meetings::Meeting& meeting) {
    const std::string program = meeting.arrivals.empty()
                                    ? meeting.key
                                    : meeting.arrivals.front().value.program;
    return AbortedBy(host, cause, NameOf(program));
  });
}

void Agreements::Tick(absl::Time now) {
  for (Meetings::Meeting* meeting : meetings_.OpenMeetings()) {
    if (now >= meeting->close_at) {
      meetings_.Conclude(*meeting, Verdict(*meeting));
    } else if (now >= LatestArrival(directory_, meeting->Missing(),
                                    meeting->deadline)) {
      const std::string name = NameOf(meeting->arrivals.front().value.program);
      meetings_.Conclude(
          *meeting,
          LateStatus(directory_, name, meeting->Arrived(), meeting->Missing(),
                     now - meeting->arrivals.front().at));
    }
  }
}

std::vector<PendingWait> Agreements::Waits(absl::Time begun_by) const {
  std::vector<PendingWait> waits;
  for (const Meetings::Meeting* meeting : meetings_.OpenMeetings()) {
    if (meeting->arrivals.front().at > begun_by) continue;
    waits.push_back({NameOf(meeting->arrivals.front().value.program),
                     meeting->arrivals.front().value.call, "",
                     meeting->Arrived(), meeting->Missing(),
                     meeting->arrivals.front().at,
                     meeting->arrivals.back().at});
  }
  return waits;
}

}  // namespace lockstep::internal
