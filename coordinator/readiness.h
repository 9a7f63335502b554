#ifndef LOCKSTEP_COORDINATOR_READINESS_H_
#define LOCKSTEP_COORDINATOR_READINESS_H_

#include <set>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "coordinator/worker_link.h"
#include "runtime/cluster/host_ref.h"

namespace lockstep {

// Which members are ready: reach all others, and serve clients. The cluster is
// when all its live members are. Not thread-safe; owned by Coordinator.
class Readiness {
 public:
  // `host` is ready; `done` is answered when the cluster is, or with
  // DEADLINE_EXCEEDED, which names who is not.
  void Arrive(const HostRef& host, absl::Time deadline, Done<Nothing> done);

  // Answers those who wait. `alive`: the live members. Whether all are ready.
  bool Check(const std::vector<HostRef>& alive, absl::Time now);

 private:
  struct Waiter {
    HostRef host;
    absl::Time deadline;
    Done<Nothing> done;
  };
  std::set<Incarnation> ready_;
  std::vector<Waiter> waiters_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_COORDINATOR_READINESS_H_
