#ifndef LOCKSTEP_COORDINATOR_MEETINGS_BARRIER_H_
#define LOCKSTEP_COORDINATOR_MEETINGS_BARRIER_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "coordinator/base/worker_link.h"
#include "coordinator/meetings/meeting_table.h"
#include "coordinator/membership/host_directory.h"

namespace lockstep::internal {

// One host's call of a barrier.
struct BarrierCall {
  HostRef host;
  std::string thread;  // names the caller within its host
  std::string name;
  std::optional<std::vector<HostId>> participants;  // none: all hosts
  absl::Duration timeout;
};

// The barriers of the cluster (spec M-21). Not thread-safe; owned by
// Coordinator.
class Barriers {
 public:
  // `directory` outlives this.
  explicit Barriers(const HostDirectory* directory) : directory_(*directory) {}

  void Arrive(const BarrierCall& call, absl::Time now, Done<Nothing> done);
  // The host no longer waits at `name`.
  void Cancel(const HostRef& host, const std::string& name);
  // The host is dead or has left; `cause` says how.
  void Lose(const HostRef& host, const absl::Status& cause);
  // Ends what is past its deadline.
  void Tick(absl::Time now);
  // After a replacement joined.
  void ForgetOutcomes() { meetings_.ForgetOutcomes(); }

  std::vector<PendingWait> Waits(absl::Time begun_by) const;

 private:
  struct Call {
    std::string thread;
    HostSet participants;
  };
  using Meetings = MeetingTable<Call, Nothing>;

  absl::Status Expired(const Meetings::Meeting& meeting, absl::Time now) const;

  const HostDirectory& directory_;
  Meetings meetings_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_MEETINGS_BARRIER_H_
