#ifndef LOCKSTEP_COORDINATOR_LAUNCHES_CALL_LEDGER_H_
#define LOCKSTEP_COORDINATOR_LAUNCHES_CALL_LEDGER_H_

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "runtime/cluster/call.h"
#include "runtime/cluster/host_ref.h"

namespace lockstep::internal {

// Which calls the hosts of each sequence have made, as their reports tell, and
// where they differ (spec M-19). Costs a few bytes per call of a sequence and
// a few per host. Not thread-safe; owned by Coordinator.
class CallLedger {
 public:
  // `patience`: how long hosts may take to report a call that is known to
  // differ, so that all of them are named.
  explicit CallLedger(absl::Duration patience) : patience_(patience) {}

  void Report(const HostRef& host, const SequenceProgress& progress,
              absl::Time now);

  // A call that is not the same on all hosts.
  struct CallDifference {
    LaunchKey call;
    std::vector<HostId> participants;
    HostRef origin;       // one of the fewest hosts that make the same
    absl::Status status;  // names hosts and calls
  };
  // The differences to tell now, each once.
  std::vector<CallDifference> Tick(absl::Time now);

  // When all hosts have ended: the first call of each sequence that some of its
  // hosts made and others did not, where no call before was known to differ.
  std::vector<CallDifference> UnequalCounts() const;

  // Whether `host` is done with `call` without having met the others there:
  // it made it and went on.
  bool IsOver(HostId host, const LaunchKey& call) const;
  // The text of a host's call; "": unknown.
  std::string TextOf(HostId host, const LaunchKey& call) const;
  // The host has ended; its sequences will be followed by others.
  void Forget(HostId host);
  void Clear() { sequences_.clear(); }

 private:
  struct HostCalls {
    HostRef host;
    LaunchNumber last;
    bool is_over = false;
    std::deque<CallDigest> digests;  // up to `last`
  };
  // Hosts that differ in one call, until all have told of it.
  struct Dispute {
    absl::Time since;
  };
  struct Sequence {
    std::vector<HostId> participants;
    std::map<HostId, HostCalls> hosts;
    // Of whoever came first with a number: what the others are compared with.
    LaunchNumber first;  // of compared.front()
    std::deque<CallDigest> compared;
    std::map<LaunchNumber, Dispute> disputes;
    LaunchNumber told;  // differences up to here are known
  };

  static std::optional<CallDigest> DigestOf(const HostCalls& calls,
                                            LaunchNumber number);
  static void Compare(Sequence& sequence, LaunchNumber number,
                      const CallDigest& call, absl::Time now);
  // `call` was told of already, perhaps before its program was known. `digests`
  // are a host's, up to call `last`.
  static void AddProgram(Sequence& sequence, std::deque<CallDigest>& digests,
                         LaunchNumber last, LaunchNumber number,
                         const CallDigest& call, absl::Time now);
  static bool IsComplete(const Sequence& sequence, LaunchNumber number);
  CallDifference Conclude(uint64_t digest, const Sequence& sequence,
                          LaunchNumber number) const;
  std::string Text(uint64_t digest) const;

  const absl::Duration patience_;
  std::map<uint64_t, Sequence> sequences_;
  absl::flat_hash_map<uint64_t, std::string> texts_;  // by digest
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_LAUNCHES_CALL_LEDGER_H_
