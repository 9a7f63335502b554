#include "coordinator/health/launch_waits.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

// One sequence of launches: what each host reported of it, by number.
using Sequence = std::map<HostId, std::vector<const TrackedLaunch*>>;

auto Place(const LaunchProgress& progress) {
  return std::make_tuple(progress.launch.number, progress.collective);
}

bool IsWaiting(const TrackedLaunch& launch) {
  return launch.progress.phase == LaunchPhase::kWaiting;
}

// The host's launch that tells how far it is on the way to `number`: that one,
// or else the last one before it; null: it has come to none of them.
const TrackedLaunch* ClosestTo(LaunchNumber number, const Sequence& sequence,
                               HostId host) {
  const auto it = sequence.find(host);
  if (it == sequence.end()) return nullptr;
  const TrackedLaunch* closest = nullptr;
  for (const TrackedLaunch* launch : it->second) {
    if (launch->progress.launch.number <= number || closest == nullptr) {
      closest = launch;
    }
  }
  return closest;
}

// Whether a host at `launch` (null: it never came) holds up one at `waiter`.
bool IsBehind(const TrackedLaunch* launch, const LaunchProgress& waiter) {
  if (launch == nullptr) return true;
  const LaunchProgress& progress = launch->progress;
  if (progress.launch.number != waiter.launch.number) {
    return progress.launch.number < waiter.launch.number;
  }
  if (progress.phase == LaunchPhase::kDone ||
      progress.phase == LaunchPhase::kFailed) {
    return false;
  }
  // Before the first one hosts meet as the launch begins.
  if (waiter.collective < 0) return progress.phase == LaunchPhase::kPreparing;
  return progress.collective < waiter.collective;
}

LaunchCulprit MakeCulprit(HostId host, const TrackedLaunch* launch,
                          const LaunchProgress& waiter) {
  LaunchCulprit culprit;
  culprit.host = host;
  if (launch == nullptr) return culprit;
  culprit.has_entered = launch->progress.launch == waiter.launch;
  culprit.unchanged_since = launch->unchanged_since;
  culprit.place = PlaceText(launch->progress);
  return culprit;
}

// The participants that hold up `waiter`, without those that wait themselves.
struct Culprits {
  std::set<HostId> named;   // by the waiter
  std::set<HostId> behind;  // all
};
Culprits CulpritsOf(const TrackedLaunch& waiter, const Sequence& sequence) {
  std::set<HostId> behind;
  for (HostId host : waiter.progress.participants) {
    const TrackedLaunch* launch =
        ClosestTo(waiter.progress.launch.number, sequence, host);
    if (launch != nullptr && IsWaiting(*launch)) continue;
    if (IsBehind(launch, waiter.progress)) behind.insert(host);
  }
  Culprits culprits;
  for (HostId host : waiter.progress.waiting_for) {
    if (behind.contains(host)) culprits.named.insert(host);
  }
  culprits.behind = std::move(behind);
  return culprits;
}

LaunchWait WaitOf(const Sequence& sequence) {
  LaunchWait wait;
  const TrackedLaunch* last = nullptr;
  wait.since = absl::InfiniteFuture();
  std::set<HostId> named, behind;
  for (const auto& [host, launches] : sequence) {
    for (const TrackedLaunch* launch : launches) {
      if (!IsWaiting(*launch)) continue;
      if (wait.waiting.empty() || wait.waiting.back() != host) {
        wait.waiting.push_back(host);
      }
      wait.since = std::min(wait.since, launch->unchanged_since);
      if (last == nullptr || Place(launch->progress) < Place(last->progress)) {
        last = launch;
      }
      Culprits culprits = CulpritsOf(*launch, sequence);
      named.merge(culprits.named);
      behind.merge(culprits.behind);
    }
  }
  wait.where = last->progress;
  // Hosts wait for those that pass something on to them, which wait for others:
  // only those at the ends of such chains name who holds up all. Others that
  // are behind need not be in the collective.
  for (HostId host : named.empty() ? behind : named) {
    wait.culprits.push_back(MakeCulprit(
        host, ClosestTo(wait.where.launch.number, sequence, host), wait.where));
  }
  return wait;
}

}  // namespace

std::vector<LaunchWait> FindLaunchWaits(
    const std::vector<HostProgress>& hosts) {
  std::map<uint64_t, Sequence> sequences;
  std::set<uint64_t> waiting;
  for (const HostProgress& host : hosts) {
    for (const TrackedLaunch& launch : host.launches) {
      sequences[launch.progress.launch.sequence][host.host.id].push_back(
          &launch);
      if (IsWaiting(launch)) waiting.insert(launch.progress.launch.sequence);
    }
  }
  std::vector<LaunchWait> waits;
  for (uint64_t sequence : waiting) {
    waits.push_back(WaitOf(sequences[sequence]));
  }
  return waits;
}

std::string LaunchWait::PlaceText() const {
  return meeting.empty() ? internal::PlaceText(where) : meeting;
}

LaunchWait WaitAt(const PendingWait& meeting) {
  LaunchWait wait;
  wait.meeting =
      meeting.call_text.empty()
          ? meeting.what
          : absl::StrCat(meeting.what, " of ",
                         CallText(meeting.call.number, meeting.call_text));
  wait.where.launch = meeting.call;
  for (const HostRef& host : meeting.arrived) {
    wait.waiting.push_back(host.id);
    wait.where.participants.push_back(host.id);
  }
  for (HostId host : meeting.missing) {
    wait.culprits.emplace_back().host = host;
    wait.where.participants.push_back(host);
  }
  wait.since = meeting.latest;
  return wait;
}

std::vector<LaunchCircle> FindCircles(const std::vector<LaunchWait>& waits,
                                      const std::vector<HostProgress>& hosts) {
  std::map<HostId, std::vector<std::pair<HostId, const LaunchWait*>>> edges;
  for (const LaunchWait& wait : waits) {
    for (HostId waiter : wait.waiting) {
      for (const LaunchCulprit& culprit : wait.culprits) {
        if (!culprit.has_entered)
          edges[waiter].push_back({culprit.host, &wait});
      }
    }
  }
  std::vector<LaunchCircle> circles;
  std::set<HostId> finished;
  std::vector<std::pair<HostId, const LaunchWait*>> path;
  // Depth first; `path` holds the hosts on the way and the wait that leads on.
  const auto visit = [&](const auto& self, HostId host) -> void {
    if (finished.contains(host)) return;
    auto start = std::find_if(path.begin(), path.end(),
                              [&](const auto& p) { return p.first == host; });
    if (start != path.end()) {
      LaunchCircle circle;
      circle.since = absl::InfinitePast();
      for (auto it = start; it != path.end(); ++it) {
        circle.hosts.push_back(it->first);
        circle.waits.push_back(it->second);
        circle.since = std::max(circle.since, it->second->since);
      }
      circles.push_back(std::move(circle));
      return;
    }
    for (const auto& [next, wait] : edges[host]) {
      path.push_back({host, wait});
      self(self, next);
      path.pop_back();
    }
    finished.insert(host);
  };
  for (const HostProgress& host : hosts) visit(visit, host.host.id);
  return circles;
}

}  // namespace lockstep::internal
