#ifndef LOCKSTEP_COORDINATOR_HEALTH_LAUNCH_WAITS_H_
#define LOCKSTEP_COORDINATOR_HEALTH_LAUNCH_WAITS_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "coordinator/meetings/meeting_table.h"
#include "runtime/cluster/host_ref.h"
#include "runtime/cluster/progress.h"

namespace lockstep::internal {

// A launch on one host, and since when it has been at its place.
struct TrackedLaunch {
  LaunchProgress progress;
  absl::Time unchanged_since;
};

// What one host does, as far as it has reported.
struct HostProgress {
  HostRef host;
  std::vector<TrackedLaunch> launches;  // several of a sequence at a time
};

// A host that others wait for in a launch.
struct LaunchCulprit {
  HostId host;
  bool has_entered = false;    // it is in the launch, but behind
  absl::Time unchanged_since;  // when it has entered
  std::string place;           // where it is, or its last launch; "": nowhere
};

// Hosts that wait in one sequence of launches, and for whom.
struct LaunchWait {
  LaunchProgress where;  // the waiting host that is behind the others
  std::vector<HostId> waiting;
  absl::Time since;  // the first of them
  // Empty: nobody is behind. Then either all participants wait, or what those
  // ahead have sent does not arrive.
  std::vector<LaunchCulprit> culprits;
  // "the axis size of call 2, f(..)" when they wait at a meeting, before a
  // launch.
  std::string meeting = {};

  // Where they wait.
  std::string PlaceText() const;
};
// The wait at a meeting of a call, as one in its launch.
LaunchWait WaitAt(const PendingWait& meeting);

// Who waits for whom, from what the hosts reported (spec M-23). A host that
// waits itself, in the same sequence, is no culprit. Pure.
std::vector<LaunchWait> FindLaunchWaits(const std::vector<HostProgress>& hosts);

// Hosts that wait for each other in a circle: hosts[i] waits in *waits[i] for
// hosts[i + 1], which has not entered it and waits elsewhere.
struct LaunchCircle {
  std::vector<HostId> hosts;
  std::vector<const LaunchWait*> waits;  // of those that were searched
  absl::Time since;                      // when the last of them began to wait
};
// A circle among the waits, if there is one. Pure.
std::vector<LaunchCircle> FindCircles(const std::vector<LaunchWait>& waits,
                                      const std::vector<HostProgress>& hosts);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_HEALTH_LAUNCH_WAITS_H_
