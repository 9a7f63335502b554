#ifndef LOCKSTEP_COORDINATOR_MEETINGS_ROLL_CALLS_H_
#define LOCKSTEP_COORDINATOR_MEETINGS_ROLL_CALLS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "coordinator/base/worker_link.h"
#include "coordinator/meetings/meeting_table.h"
#include "coordinator/membership/host_directory.h"
#include "runtime/cluster/roll_call.h"

namespace lockstep::internal {

using SharedRoll = std::shared_ptr<const RollCallAnswer>;

// Meetings of those hosts that are alive (spec M-27): who dies meanwhile is not
// waited for any more, and not in the answer. Not thread-safe; owned by
// Coordinator.
class RollCalls {
 public:
  // `directory` outlives this.
  explicit RollCalls(const HostDirectory* directory) : directory_(*directory) {}

  // Those who ask for the same hosts under the same name meet.
  // INVALID_ARGUMENT: a host that the cluster does not have; the caller is not
  // among the hosts; two ask for different ones, and each for the other, on
  // both. FAILED_PRECONDITION: the caller asks already. DEADLINE_EXCEEDED names
  // who did not ask.
  void Arrive(const HostRef& host, const RollCall& call, absl::Time deadline,
              absl::Time now, Epoch epoch, Done<SharedRoll> done);
  // The host no longer waits.
  void Cancel(const HostRef& host, const RollCall& call);
  // The host is dead or has left, in `epoch`.
  void Lose(const HostRef& host, Epoch epoch);
  // Ends what is past its deadline.
  void Tick(absl::Time now);
  // After a replacement joined.
  void ForgetOutcomes() { meetings_.ForgetOutcomes(); }

  std::vector<PendingWait> Waits(absl::Time begun_by) const;

 private:
  // What arrivals bring.
  struct Asked {
    std::string name;
    HostSet hosts;
  };
  using Meetings = MeetingTable<Asked, SharedRoll>;

  HostSet HostsOf(const RollCall& call) const;
  // Calls for different hosts are different meetings: a host may ask for
  // itself, and then for all, while others still do the first.
  std::string KeyOf(const std::string& name, const HostSet& hosts) const;
  HostSet AliveAmong(const HostSet& hosts) const;
  // Of hosts that wait for each other in calls of one name for different hosts,
  // nobody would come.
  void EndCrossed(Meetings::Meeting& meeting);
  void ConcludeWhenComplete(Meetings::Meeting& meeting, Epoch epoch);
  absl::Status Expired(const Meetings::Meeting& meeting) const;

  const HostDirectory& directory_;
  Meetings meetings_;
  int64_t last_number_ = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_MEETINGS_ROLL_CALLS_H_
