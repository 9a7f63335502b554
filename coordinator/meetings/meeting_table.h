#ifndef LOCKSTEP_COORDINATOR_MEETINGS_MEETING_TABLE_H_
#define LOCKSTEP_COORDINATOR_MEETINGS_MEETING_TABLE_H_

#include <algorithm>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "coordinator/base/host_set.h"
#include "coordinator/base/worker_link.h"
#include "runtime/cluster/call.h"
#include "runtime/cluster/host_ref.h"

namespace lockstep::internal {

// Somebody waits at a meeting: what for, who is there, who is not.
struct PendingWait {
  std::string what;  // "barrier 'epoch' #3"
  LaunchKey call;    // that it is part of; number 0: none
  std::string call_text;
  std::vector<HostRef> arrived;
  std::vector<HostId> missing;
  absl::Time since;   // the first arrival
  absl::Time latest;  // the last one
};

// One meeting of several hosts under a key: the n-th call of a host meets the
// n-th call of the others. Hosts that share no participant never meet, so
// disjoint sets of hosts can use one key at a time.
//
// `Value` is what a host brings, `Result` what all of them get. A meeting ends
// when all participants are there, at its deadline, or with Fail; its outcome
// is kept for participants that come later, and dropped when all have it.
// Owned by a noun of the coordinator (barrier, agreement, axis resolution),
// which gives it its rules. Not thread-safe.
template <typename Value, typename Result>
class MeetingTable {
 public:
  struct HostArrival {
    HostRef host;
    Value value;
    absl::Time at;
    Done<Result> done;  // null once answered
  };

  struct Meeting {
    std::string key;
    int64_t instance = 0;  // from 1, per key
    HostSet participants;
    std::vector<HostArrival> arrivals;    // in the order of arrival
    absl::flat_hash_set<HostId> arrived;  // of arrivals
    absl::Time deadline = absl::InfiniteFuture();
    // From here on it ends even if not all are there.
    absl::Time close_at = absl::InfiniteFuture();
    std::optional<absl::StatusOr<Result>> outcome;
    // Participants that have no answer yet.
    absl::flat_hash_set<HostId> uncollected;

    bool HasArrived(HostId host) const { return arrived.contains(host); }
    std::vector<HostId> Missing() const {
      std::vector<HostId> missing;
      for (HostId host : participants) {
        if (!HasArrived(host)) missing.push_back(host);
      }
      return missing;
    }
    bool IsComplete() const { return arrived.size() == participants.size(); }
    std::vector<HostRef> Arrived() const {
      std::vector<HostRef> hosts;
      for (const HostArrival& arrival : arrivals) hosts.push_back(arrival.host);
      return hosts;
    }
  };

  // The meeting that `host` joins with its next call for `key`: the oldest one
  // that expects it and has not answered it (it may be there already, with a
  // call of another thread); or an open one with one of `participants`; or
  // null.
  Meeting* Find(const std::string& key, HostId host,
                const HostSet& participants) {
    for (Meeting& meeting : meetings_) {
      if (meeting.key == key && meeting.uncollected.contains(host)) {
        return &meeting;
      }
    }
    for (Meeting& meeting : meetings_) {
      if (meeting.key != key || meeting.outcome.has_value()) continue;
      if (meeting.participants.Intersects(participants)) return &meeting;
    }
    return nullptr;
  }

  // The open meeting under `key` that has waited longest, or null.
  Meeting* FindOpen(const std::string& key) {
    for (Meeting& meeting : meetings_) {
      if (meeting.key == key && !meeting.outcome.has_value()) return &meeting;
    }
    return nullptr;
  }

  Meeting& Open(const std::string& key, HostSet participants,
                absl::Time deadline) {
    Meeting meeting;
    meeting.key = key;
    meeting.instance = ++instances_[key];
    meeting.uncollected = {participants.begin(), participants.end()};
    meeting.participants = std::move(participants);
    meeting.deadline = deadline;
    meetings_.push_back(std::move(meeting));
    return meetings_.back();
  }

  // The host is there. With an outcome it gets that at once.
  void Arrive(Meeting& meeting, HostArrival arrival) {
    if (meeting.outcome.has_value()) {
      arrival.done(*meeting.outcome);
      meeting.uncollected.erase(arrival.host.id);
      DropCollected();
      return;
    }
    const HostId host = arrival.host.id;
    if (!meeting.participants.contains(host)) {
      meeting.participants = meeting.participants.With(host);
      meeting.uncollected.insert(host);
    }
    meeting.arrived.insert(host);
    meeting.arrivals.push_back(std::move(arrival));
  }

  // Answers everybody who is there. `meeting` may be gone afterwards.
  void Conclude(Meeting& meeting, absl::StatusOr<Result> outcome) {
    meeting.outcome = std::move(outcome);
    for (HostArrival& arrival : meeting.arrivals) {
      meeting.uncollected.erase(arrival.host.id);
      if (arrival.done) std::exchange(arrival.done, nullptr)(*meeting.outcome);
    }
    DropCollected();
  }

  // Ends the open meetings in which `host` takes part, except for `host`
  // itself, whose arrivals are dropped unanswered; it owes nothing any more.
  void Lose(HostId host,
            const std::function<absl::Status(const Meeting&)>& why) {
    for (Meeting* meeting : OpenMeetings()) {
      if (!meeting->participants.contains(host)) continue;
      const absl::Status status = why(*meeting);
      std::erase_if(meeting->arrivals,
                    [&](const HostArrival& a) { return a.host.id == host; });
      meeting->arrived.erase(host);
      meeting->uncollected.erase(host);
      Conclude(*meeting, status);
    }
    for (Meeting& meeting : meetings_) meeting.uncollected.erase(host);
    DropCollected();
  }

  // `host` takes part in nothing any more: what it brought is dropped
  // unanswered. The open meetings that it leaves, in which others wait.
  std::vector<Meeting*> Release(HostId host) {
    std::vector<Meeting*> left;
    for (Meeting& meeting : meetings_) {
      meeting.uncollected.erase(host);
      if (meeting.outcome.has_value()) continue;
      if (!meeting.participants.contains(host)) continue;
      std::erase_if(meeting.arrivals,
                    [&](const HostArrival& a) { return a.host.id == host; });
      meeting.arrived.erase(host);
      meeting.participants = meeting.participants.Without(host);
      if (!meeting.arrivals.empty()) left.push_back(&meeting);
    }
    meetings_.remove_if([](const Meeting& meeting) {
      return !meeting.outcome.has_value() && meeting.arrivals.empty();
    });
    DropCollected();
    return left;
  }

  // `host` stops waiting under `key` and gets `own`; the others get `theirs`.
  void Cancel(const std::string& key, HostId host, const absl::Status& own,
              const absl::Status& theirs) {
    for (Meeting* meeting : OpenMeetings()) {
      if (meeting->key != key || !meeting->HasArrived(host)) continue;
      for (HostArrival& arrival : meeting->arrivals) {
        if (arrival.host.id == host) std::exchange(arrival.done, nullptr)(own);
      }
      Conclude(*meeting, theirs);
    }
  }

  // Ends the open meetings under `key`.
  void End(const std::string& key, const absl::Status& status) {
    for (Meeting* meeting : OpenMeetings()) {
      if (meeting->key == key) Conclude(*meeting, status);
    }
  }

  // Outcomes that nobody has collected yet are not of interest any more.
  void ForgetOutcomes() {
    meetings_.remove_if(
        [](const Meeting& meeting) { return meeting.outcome.has_value(); });
  }

  std::vector<Meeting*> OpenMeetings() {
    std::vector<Meeting*> open;
    for (Meeting& meeting : meetings_) {
      if (!meeting.outcome.has_value()) open.push_back(&meeting);
    }
    return open;
  }
  std::vector<const Meeting*> OpenMeetings() const {
    std::vector<const Meeting*> open;
    for (const Meeting& meeting : meetings_) {
      if (!meeting.outcome.has_value()) open.push_back(&meeting);
    }
    return open;
  }
  // Outcomes that somebody has yet to collect, and open meetings.
  int size() const { return static_cast<int>(meetings_.size()); }

 private:
  void DropCollected() {
    meetings_.remove_if([](const Meeting& meeting) {
      return meeting.outcome.has_value() && meeting.uncollected.empty();
    });
  }

  std::list<Meeting> meetings_;  // oldest first; addresses are stable
  std::map<std::string, int64_t> instances_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_MEETINGS_MEETING_TABLE_H_
