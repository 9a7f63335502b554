#ifndef LOCKSTEP_COORDINATOR_MEMBERSHIP_HOST_ASSIGNMENT_H_
#define LOCKSTEP_COORDINATOR_MEMBERSHIP_HOST_ASSIGNMENT_H_

#include <vector>

#include "runtime/cluster/worker_info.h"
#include "runtime/mesh/world.h"

namespace lockstep::internal {

// Host ids (spec M-17): result[i] is the index in `workers` of the host with id
// i. Requested ranks first; the remaining ids, ascending, go to the others
// sorted by (network group, name). Ranks are distinct and below the number of
// workers.
std::vector<int> AssignHostIds(const std::vector<WorkerInfo>& workers);

// Global device ids: host-major, dense, in local order. `workers[h]` is the
// host with id h.
World BuildWorld(const std::vector<WorkerInfo>& workers);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_MEMBERSHIP_HOST_ASSIGNMENT_H_
