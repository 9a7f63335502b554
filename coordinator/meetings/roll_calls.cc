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
  const HostSet hosts =
      call.hosts.empty() ? directory_.AllHosts() : HostSet(call.hosts);
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
  Meetings::Meeting* meeting = meetings_.Find(call.name, host.id, hosts);
  if (meeting == nullptr) {
    meeting = &meetings_.Open(call.name, AliveAmong(hosts), deadline);
  }
  if (meeting->outcome.has_value()) {
    return meetings_.Arrive(*meeting, {host, hosts, now, std::move(done)});
  }
  if (meeting->HasArrived(host.id)) {
    return done(absl::FailedPreconditionError(absl::StrCat(
        name, ": another thread of ", ToString(host), " waits for it")));
  }
  meetings_.Arrive(*meeting, {host, hosts, now, std::move(done)});
  const Meetings::Arrival& first = meeting->arrivals.front();
  if (first.value != hosts) {
    return meetings_.Conclude(
        *meeting, absl::InvalidArgumentError(absl::StrCat(
                      name, ": ", ToString(first.host), " asks for the hosts ",
                      HostList(directory_, first.value), "; ", ToString(host),
                      " for ", HostList(directory_, hosts))));
  }
  ConcludeWhenComplete(*meeting, epoch);
}

void RollCalls::ConcludeWhenComplete(Meetings::Meeting& meeting, Epoch epoch) {
  if (!meeting.IsComplete()) return;
  auto answer = std::make_shared<RollCallAnswer>();
  answer->epoch = epoch;
  answer->hosts = meeting.Arrived();
  std::sort(answer->hosts.begin(), answer->hosts.end(),
            [](const HostRef& a, const HostRef& b) { return a.id < b.id; });
  meetings_.Conclude(meeting, SharedRoll(std::move(answer)));
}

void RollCalls::Cancel(const HostRef& host, const std::string& name) {
  const absl::Status cancelled = absl::CancelledError(
      absl::StrCat(NameOf(name), " was cancelled by the caller"));
  meetings_.Cancel(name, host.id, cancelled,
                   AbortedBy(host, cancelled, NameOf(name)));
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
      absl::StrCat(NameOf(meeting.key), ": ", meeting.arrivals.size(), " of ",
                   meeting.participants.size(),
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
    waits.push_back({NameOf(meeting->key), LaunchKey(), "", meeting->Arrived(),
                     meeting->Missing(), meeting->arrivals.front().at,
                     meeting->arrivals.back().at});
  }
  return waits;
}

}  // namespace lockstep::internal
