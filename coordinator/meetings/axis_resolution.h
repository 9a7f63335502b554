#ifndef LOCKSTEP_COORDINATOR_MEETINGS_AXIS_RESOLUTION_H_
#define LOCKSTEP_COORDINATOR_MEETINGS_AXIS_RESOLUTION_H_

#include <vector>

#include "absl/time/time.h"
#include "coordinator/base/worker_link.h"
#include "coordinator/meetings/meeting_table.h"
#include "coordinator/membership/host_directory.h"
#include "runtime/cluster/axis_query.h"
#include "runtime/mesh/world_index.h"

namespace lockstep::internal {

// The global size of a pmapped axis (spec J-6, J-9, J-10): the hosts of one
// call bring their local sizes and device lists; all get the same answer, or
// the same error. A host without a device in its own list is told so alone.
// Not thread-safe; owned by Coordinator.
class AxisResolutions {
 public:
  // `directory` outlives this. `patience`: as in Agreements.
  AxisResolutions(const HostDirectory* directory, absl::Duration patience)
      : directory_(*directory), patience_(patience) {}

  void Arrive(const HostRef& host, AxisQuery query, const WorldIndex& world,
              absl::Duration timeout, absl::Time now, Done<SharedAxis> done);
  void Cancel(const HostRef& host, const std::string& key);
  // The call is over because of `cause`.
  void FailCall(const LaunchKey& call, const absl::Status& cause) {
    meetings_.End(MeetingKey(call), cause);
  }
  void Lose(const HostRef& host, const absl::Status& cause);
  void Tick(const WorldIndex& world, absl::Time now);
  void ForgetOutcomes() { meetings_.ForgetOutcomes(); }

  std::vector<PendingWait> Waits(absl::Time begun_by) const;

 private:
  using Meetings = MeetingTable<AxisQuery, SharedAxis>;

  HostSet ParticipantsOf(const AxisQuery& query, const WorldIndex& world) const;
  static absl::StatusOr<SharedAxis> Verdict(const Meetings::Meeting& meeting,
                                            const WorldIndex& world);

  const HostDirectory& directory_;
  const absl::Duration patience_;
  Meetings meetings_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_MEETINGS_AXIS_RESOLUTION_H_
