#ifndef LOCKSTEP_COORDINATOR_MEMBERSHIP_JOIN_CHECKS_H_
#define LOCKSTEP_COORDINATOR_MEMBERSHIP_JOIN_CHECKS_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/cluster/worker_info.h"

namespace lockstep::internal {

// The checks of a join that need only what workers say of themselves (spec
// M-17, M-26). Pure functions.

// What is wrong with `worker` in any cluster of `expected_hosts` hosts.
absl::Status CheckWorkerInfo(const WorkerInfo& worker, int32_t expected_hosts);

// Whether `worker` can be in one cluster with `other`: ranks, physical devices.
absl::Status CheckDistinct(const WorkerInfo& worker, const WorkerInfo& other);

// INVALID_ARGUMENT when one of the two sets a network group and the other does
// not.
absl::Status CheckNetworkGroups(const WorkerInfo& a, const WorkerInfo& b);

// FAILED_PRECONDITION when `other`, in another network, cannot reach `worker`,
// which is on loopback.
absl::Status CheckReachable(const WorkerInfo& worker, const WorkerInfo& other);

// ALREADY_EXISTS for a name that is in use; names both addresses and
// incarnations.
absl::Status NameInUse(const WorkerInfo& worker, const WorkerInfo& owner);

// Positions of the workers whose build, protocol or platform differs from that
// of the largest group (of equal ones: the group of the first worker).
std::vector<int> OddVersions(const std::vector<WorkerInfo>& workers);
// What an odd one is told: a table of hosts by version.
absl::Status VersionMismatch(const std::vector<WorkerInfo>& workers);

// FAILED_PRECONDITION when `worker` cannot take the place of `old`: platform
// or devices differ; names both lists.
absl::Status CheckReplacement(const WorkerInfo& worker, const WorkerInfo& old);

// What joiners are told from the moment on that the cluster was asked to end.
absl::Status ShuttingDown(absl::string_view reason);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_MEMBERSHIP_JOIN_CHECKS_H_
