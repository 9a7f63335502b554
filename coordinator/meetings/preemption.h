#ifndef LOCKSTEP_COORDINATOR_MEETINGS_PREEMPTION_H_
#define LOCKSTEP_COORDINATOR_MEETINGS_PREEMPTION_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "coordinator/base/worker_link.h"
#include "coordinator/membership/host_directory.h"
#include "runtime/cluster/preemption.h"

namespace lockstep::internal {

// The agreement of all live hosts on a step at which they save before a
// preemption (spec M-28). One at a time: who gives notice meanwhile gets the
// same. Says what is to be told; the caller tells it. Not thread-safe; owned by
// Coordinator.
class Preemption {
 public:
  // `directory` outlives this.
  explicit Preemption(const HostDirectory* directory)
      : directory_(*directory) {}

  // The number of an agreement that begins, in which all live hosts are to be
  // asked for their last step; none: that has happened. `whose` is for
  // messages: "host 3 (gpu03)". `done` gets the sync step.
  std::optional<int64_t> Notice(const std::string& whose, absl::Time deadline,
                                absl::Time now, Done<int64_t> done);
  // These give what all live hosts are to be told, when it is decided.
  std::optional<PreemptionOutcome> Answer(HostId host, int64_t agreement,
                                          int64_t last_step);
  // The host is dead or has left.
  std::optional<PreemptionOutcome> Lose(HostId host);
  // DEADLINE_EXCEEDED names who did not answer in time.
  std::optional<PreemptionOutcome> Tick(absl::Time now);

  // A life of a host begins. It is to be asked in asked(); when there is none,
  // to be told agreed().
  void Add(HostId host);
  // The agreement that is being made.
  std::optional<int64_t> asked() const;
  // The latest sync step. A host that comes back may have it ahead, as the
  // others have.
  const std::optional<PreemptionOutcome>& agreed() const { return agreed_; }
  // All hosts are others from here on.
  void Clear();

 private:
  struct Round {
    std::string whose;
    absl::Time begun;
    absl::Time deadline;
    std::set<HostId> missing;
    std::map<HostId, int64_t> last_steps;
    std::vector<Done<int64_t>> waiting;
  };

  std::optional<PreemptionOutcome> ConcludeWhenComplete();
  PreemptionOutcome Conclude(absl::StatusOr<int64_t> sync_step);
  absl::Status Expired(absl::Time now) const;

  const HostDirectory& directory_;
  int64_t last_number_ = 0;
  std::optional<Round> round_;  // of last_number_
  std::optional<PreemptionOutcome> agreed_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_MEETINGS_PREEMPTION_H_
