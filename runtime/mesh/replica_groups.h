#ifndef LOCKSTEP_RUNTIME_MESH_REPLICA_GROUPS_H_
#define LOCKSTEP_RUNTIME_MESH_REPLICA_GROUPS_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/device_assignment.h"

namespace lockstep {

// Lists of ids; what an id means depends on the mode. An empty list of groups
// is one group with everybody, in id order.
using ReplicaGroups = std::vector<std::vector<int64_t>>;

namespace internal {

// StableHLO spec, "Collective ops": what the ids of a group are, and which
// processes one group holds.
enum class GroupMode {
  kCrossReplica,              // replica ids; a group per partition
  kCrossPartition,            // partition ids; a group per replica
  kCrossReplicaAndPartition,  // replica ids; all partitions in one group
  kFlattenedIds,              // flattened ids
};

// The mode of all_gather, all_reduce and reduce_scatter. INVALID_ARGUMENT:
// use_global_device_ids without a channel id above 0.
absl::StatusOr<GroupMode> ReductionGroupMode(int64_t channel_id,
                                             bool use_global_device_ids);
// The mode of all_to_all, collective_broadcast and collective_permute.
GroupMode MovementGroupMode(int64_t channel_id);

// What a collective demands of its groups (spec K-2, K-9).
struct GroupRequirements {
  bool covers_all_ids = true;  // false: some processes may be in no group
  bool equal_sizes = false;
};

// INVALID_ARGUMENT names the offending id or sizes: an id repeated, out of
// range or missing; sizes that differ.
absl::Status ValidateReplicaGroups(const ReplicaGroups& groups, GroupMode mode,
                                   int32_t replica_count,
                                   int32_t partition_count,
                                   GroupRequirements requirements);

// The groups as ordered lists of flattened ids. Within
// kCrossReplicaAndPartition, members are ordered partition-major: for p, for r
// in the listed order. `groups` must be valid.
std::vector<std::vector<int32_t>> FlattenedGroups(const ReplicaGroups& groups,
                                                  GroupMode mode,
                                                  int32_t replica_count,
                                                  int32_t partition_count);

// How many processes the first of FlattenedGroups holds.
int64_t FlattenedGroupSize(const ReplicaGroups& groups, GroupMode mode,
                           int32_t replica_count, int32_t partition_count);

// The groups as ordered lists of devices.
std::vector<std::vector<GlobalDeviceId>> DeviceGroups(
    const ReplicaGroups& groups, GroupMode mode,
    const DeviceAssignment& assignment);

// Source-target pairs of collective_permute as pairs of flattened ids.
std::vector<std::pair<int32_t, int32_t>> FlattenedPairs(
    absl::Span<const std::pair<int64_t, int64_t>> pairs, GroupMode mode,
    int32_t replica_count, int32_t partition_count);

}  // namespace internal
}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_REPLICA_GROUPS_H_
