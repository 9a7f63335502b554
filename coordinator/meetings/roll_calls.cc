#include "coordinator/meetings/roll_calls.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/cluster/failure.h"

namespace lockstep::internal {
namespace {

std::string NameOf(const std::string& name) {
  return absl::StrCat("live_hosts '", name, "'");
}

}  // namespace

HostSet RollCalls::HostsOf(const RollCall& call) const {
  return call.hosts.empty() ? directory_.AllHosts() : HostSet(call.hosts);
}

std::string RollCalls::KeyOf(const std::string& name,
                             const HostSet& hosts) const {
  if (hosts == directory_.AllHosts()) return name;
  std::string key = name;
  for (HostId host : hosts) absl::StrAppend(&key, " ", host.value());
  return key;
}

HostSet RollCalls::AliveAmong(const HostSet& hosts) const {
  std::vector<HostId> alive;
  for (HostId host : hosts) {
    if (directory_.StateOf(host).ok()) alive.push_back(host);
  }
  return HostSet(std::move(alive));
}

void RollCalls::Arrive(const HostRef& host, const RollCall& call,
                       absl::Time deadline, absl::Time now, Epoch epoch,
                       Done<SharedRoll> done) {
  const std::string name = NameOf(call.name);
  const HostSet hosts = HostsOf(call);
  for (HostId each : hosts) {
    if (directory_.Knows(each)) continue;
    return done(absl::InvalidArgumentError(
        absl::StrCat(name, ": no host ", each.value(), " in the cluster of ",
                     directory_.AllHosts().size(), " hosts")));
  }
  if (!hosts.contains(host.id)) {
    return done(absl::InvalidArgumentError(
        absl::StrCat(name, ": the caller ", ToString(host),
                     " is not among the hosts ", HostList(directory_, hosts))));
  }
  const std::string key = KeyOf(call.name, hosts);
  Meetings::Meeting* meeting = meetings_.Find(key, host.id, hosts);
  if (meeting == nullptr) {
    meeting = &meetings_.Open(key, AliveAmong(hosts), deadline);
  }
  if (meeting->outcome.has_value()) {
    return meetings_.Arrive(*meeting,
                            {host, {call.name, hosts}, now, std::move(done)});
  }
  if (meeting->HasArrived(host.id)) {
    return done(absl::FailedPreconditionError(absl::StrCat(
        name, ": another thread of ", ToString(host), " waits for it")));
  }
  meetings_.Arrive(*meeting, {host, {call.name, hosts}, now, std::move(done)});
  // In this order: a meeting that has ended because of another is not complete.
  EndCrossed(*meeting);
  ConcludeWhenComplete(*meeting, epoch);
}

void RollCalls::EndCrossed(Meetings::Meeting& meeting) {
  const auto waits_for = [](const Meetings::Meeting& a,
                            const Meetings::Meeting& b) -> const HostRef* {
    for (const auto& arrival : b.arrivals) {
      if (a.participants.contains(arrival.host.id) &&
          !a.HasArrived(arrival.host.id)) {
        return &arrival.host;
      }
    }
    return nullptr;
  };
  // A copy: what is concluded below may be gone with its arrivals.
  const Asked mine = meeting.arrivals.front().value;
  for (Meetings::Meeting* other : meetings_.OpenMeetings()) {
    const Asked& theirs = other->arrivals.front().value;
    if (other == &meeting || theirs.name != mine.name) continue;
    const HostRef* there = waits_for(meeting, *other);
    const HostRef* here = waits_for(*other, meeting);
    if (there == nullptr || here == nullptr) continue;
    const absl::Status crossed = absl::InvalidArgumentError(absl::StrCat(
        NameOf(mine.name), ": ", ToString(*here), " asks for the hosts ",
        HostList(directory_, mine.hosts), "; ", ToString(*there), " for ",
        HostList(directory_, theirs.hosts)));
    // The other one first, and nothing after ours: the caller has still to look
    // at `meeting`, which its missing hosts keep, and `other` may be gone.
    meetings_.Conclude(*other, crossed);
    return meetings_.Conclude(meeting, crossed);
  }
}

void RollCalls::ConcludeWhenComplete(Meetings::Meeting& meeting, Epoch epoch) {
  if (meeting.outcome.has_value() || !meeting.IsComplete()) return;
  auto answer = std::make_shared<RollCallAnswer>();
  answer->number = ++last_number_;
  answer->epoch = epoch;
  answer->hosts = meeting.Arrived();
  std::sort(answer->hosts.begin(), answer->hosts.end(),
            [](const HostRef& a, const HostRef& b) { return a.id < b.id; });
  meetings_.Conclude(meeting, SharedRoll(std::move(answer)));
}

void RollCalls::Cancel(const HostRef& host, const RollCall& call) {
  const std::string name = NameOf(call.name);
  const absl::Status cancelled =
      absl::CancelledError(absl::StrCat(name, " was cancelled by the caller"));
  meetings_.Cancel(KeyOf(call.name, HostsOf(call)), host.id, cancelled,
                   AbortedBy(host, cancelled, name));
}

void RollCalls::Lose(const HostRef& host, Epoch epoch) {
  for (Meetings::Meeting* meeting : meetings_.Release(host.id)) {
    ConcludeWhenComplete(*meeting, epoch);
  }
}

absl::Status RollCalls::Expired(const Meetings::Meeting& meeting) const {
  std::vector<std::string> missing;
  for (HostId host : meeting.Missing()) {
    missing.push_back(directory_.Describe(host));
  }
  return absl::DeadlineExceededError(
      absl::StrCat(NameOf(meeting.arrivals.front().value.name), ": ",
                   meeting.arrivals.size(), " of ", meeting.participants.size(),
                   " live hosts asked; missing: ", CutList(missing)));
}

void RollCalls::Tick(absl::Time now) {
  for (Meetings::Meeting* meeting : meetings_.OpenMeetings()) {
    if (now >= meeting->deadline) {
      meetings_.Conclude(*meeting, Expired(*meeting));
    }
  }
}

std::vector<PendingWait> RollCalls::Waits(absl::Time begun_by) const {
  std::vector<PendingWait> waits;
  for (const Meetings::Meeting* meeting : meetings_.OpenMeetings()) {
    if (meeting->arrivals.front().at > begun_by) continue;
    waits.push_back({NameOf(meeting->arrivals.front().value.name), LaunchKey(),
                     "", meeting->Arrived(), meeting->Missing(),
                     meeting->arrivals.front().at,
                     meeting->arrivals.back().at});
  }
  return waits;
}

}  // namespace lockstep::internal
