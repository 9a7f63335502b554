#include "coordinator/meetings/barrier.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/cluster/failure.h"

namespace lockstep::internal {
namespace {

std::string NameOf(const std::string& name, int64_t instance) {
  return absl::StrCat("barrier '", name, "' #", instance);
}

}  // namespace

void Barriers::Arrive(const BarrierCall& call, absl::Time now,
                      Done<Nothing> done) {
  const HostId host = call.host.id;
  const HostSet participants = call.participants.has_value()
                                   ? HostSet(*call.participants)
                                   : directory_.AllHosts();
  if (call.participants.has_value()) {
    for (HostId participant : participants) {
      if (directory_.Knows(participant)) continue;
      return done(absl::InvalidArgumentError(absl::StrCat(
          "barrier '", call.name, "': no host ", participant.value(),
          " in the cluster of ", directory_.AllHosts().size(), " hosts")));
    }
  }
  if (participants.empty()) {
    return done(absl::InvalidArgumentError(
        absl::StrCat("barrier '", call.name, "': no participants")));
  }
  Meetings::Meeting* meeting = meetings_.Find(call.name, host, participants);
  if (meeting == nullptr) meeting = meetings_.FindOpen(call.name);
  if (meeting == nullptr && !participants.contains(host)) {
    return done(absl::InvalidArgumentError(
        absl::StrCat("barrier '", call.name, "': the caller ",
                     ToString(call.host), " is not among the participants ",
                     HostList(directory_, participants))));
  }
  if (meeting == nullptr) {
    meeting = &meetings_.Open(call.name, participants, now + call.timeout);
  }
  if (!meeting->outcome.has_value() && meeting->HasArrived(host)) {
    std::string other;
    for (const auto& arrival : meeting->arrivals) {
      if (arrival.host.id == host) other = arrival.value.thread;
    }
    return done(absl::FailedPreconditionError(
        absl::StrCat(NameOf(call.name, meeting->instance), ": ",
                     ToString(call.host), " waits at it already, in thread ",
                     other, "; called again by thread ", call.thread)));
  }
  const bool is_invited = meeting->participants.contains(host);
  const HostSet expected = meeting->participants;
  const std::string first = meeting->arrivals.empty()
                                ? ToString(call.host)
                                : ToString(meeting->arrivals.front().host);
  const bool was_open = !meeting->outcome.has_value();
  const bool is_first = meeting->arrivals.empty();
  // May drop the meeting when it has an outcome.
  const std::string name = NameOf(call.name, meeting->instance);
  // Before the checks that end the meeting: the caller gets the outcome, too.
  meetings_.Arrive(
      *meeting, {call.host, {call.thread, participants}, now, std::move(done)});
  if (!was_open) return;
  if (!is_invited) {
    return meetings_.Conclude(
        *meeting, absl::InvalidArgumentError(absl::StrCat(
                      name, ": ", ToString(call.host),
                      " calls it, but the participants, as ", first,
                      " gave them, are ", HostList(directory_, expected))));
  }
  if (participants != expected) {
    return meetings_.Conclude(
        *meeting, absl::InvalidArgumentError(absl::StrCat(
                      name, ": ", first, " gave the participants ",
                      HostList(directory_, expected), "; ", ToString(call.host),
                      " gave ", HostList(directory_, participants))));
  }
  if (is_first) {  // who ends later is lost to the meeting
    if (const auto ended = FirstEnded(directory_, expected)) {
      meeting->uncollected.erase(*ended);
      return meetings_.Conclude(
          *meeting,
          AbortedBy(directory_.Ref(*ended), directory_.StateOf(*ended), name));
    }
  }
  if (meeting->IsComplete()) meetings_.Conclude(*meeting, Nothing());
}

void Barriers::Cancel(const HostRef& host, const std::string& name) {
  const std::string what = absl::StrCat("barrier '", name, "'");
  const absl::Status cancelled =
      absl::CancelledError(absl::StrCat(what, " was cancelled by the caller"));
  meetings_.Cancel(name, host.id, cancelled, AbortedBy(host, cancelled, what));
}

void Barriers::Lose(const HostRef& host, const absl::Status& cause) {
  meetings_.Lose(host.id, [&](const Meetings::Meeting& meeting) {
    return AbortedBy(host, cause, NameOf(meeting.key, meeting.instance));
  });
}

absl::Status Barriers::Expired(const Meetings::Meeting& meeting,
                               absl::Time now) const {
  std::vector<std::string> missing;
  for (HostId host : meeting.Missing()) {
    missing.push_back(directory_.Describe(host));
  }
  return absl::DeadlineExceededError(absl::StrCat(
      NameOf(meeting.key, meeting.instance), ": ", meeting.arrivals.size(),
      " of ", meeting.participants.size(), " hosts arrived, first ",
      ToString(meeting.arrivals.front().host), " ",
      absl::FormatDuration(now - meeting.arrivals.front().at),
      " ago; missing: ", CutList(missing)));
}

void Barriers::Tick(absl::Time now) {
  for (Meetings::Meeting* meeting : meetings_.OpenMeetings()) {
    if (now >= meeting->deadline) {
      meetings_.Conclude(*meeting, Expired(*meeting, now));
    }
  }
}

std::vector<PendingWait> Barriers::Waits(absl::Time begun_by) const {
  std::vector<PendingWait> waits;
  for (const Meetings::Meeting* meeting : meetings_.OpenMeetings()) {
    if (meeting->arrivals.front().at > begun_by) continue;
    waits.push_back({NameOf(meeting->key, meeting->instance), LaunchKey(), "",
                     meeting->Arrived(), meeting->Missing(),
                     meeting->arrivals.front().at,
                     meeting->arrivals.back().at});
  }
  return waits;
}

}  // namespace lockstep::internal
