#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_DEVICE_GROUPS_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_DEVICE_GROUPS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// Which devices of a mesh exchange data along axes, in ids of the mesh: the
// groups and pairs of a program's collectives. Pure functions. Axes are valid
// on the mesh and do not overlap; lists of them are major to minor.

// The index of the device along `axes`: which shard it has of a dimension that
// they split. INVALID_ARGUMENT: the device is not in the mesh.
absl::StatusOr<int64_t> ShardIndexOf(int64_t device,
                                     absl::Span<const AxisRef> axes,
                                     const ShardingMesh& mesh);

// What `axes` leave of the axes of the mesh, in mesh order; none of size 1.
std::vector<AxisRef> RemainingAxes(absl::Span<const AxisRef> axes,
                                   const AbstractMesh& mesh);

// One group for each index along the remaining axes, in ascending order; its
// members are in the order of their indices along `axes`. Every device of the
// mesh is in one.
std::vector<std::vector<int64_t>> DeviceGroups(absl::Span<const AxisRef> axes,
                                               const ShardingMesh& mesh);

struct SourceTarget {
  int64_t source = 0;
  int64_t target = 0;
  friend bool operator==(const SourceTarget&, const SourceTarget&) = default;
};

// Who sends its shard of `from` to whom, so that all have theirs of `to`, by
// ascending sources. Every device is once a source and once a target. One that
// has the right shard keeps it; of others that have the same shard the one of
// the smallest id sends to the one of the smallest id. An unreduced axis is
// like a dimension: partial results are not mixed up. INVALID_ARGUMENT: meshes
// of other devices, other numbers of shards or of partial results.
absl::StatusOr<std::vector<SourceTarget>> PermutePairs(
    const TensorSharding& from, const TensorSharding& to,
    const ShardingMesh& mesh_from, const ShardingMesh& mesh_to);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_DEVICE_GROUPS_H_
