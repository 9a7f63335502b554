#ifndef LOCKSTEP_RUNTIME_OPS_COLLECTIVES_MESH_AXES_GROUPS_H_
#define LOCKSTEP_RUNTIME_OPS_COLLECTIVES_MESH_AXES_GROUPS_H_

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/replica_groups.h"

namespace lockstep::internal {

// The groups that #stablehlo.replica_group_mesh_axes<mesh = .., axes = [..]>
// names: one per combination of the axes that are not listed, members ordered
// by the listed ones (the first is the major one). The mesh is inline or a
// symbol of a top-level mesh op. INVALID_ARGUMENT names the axis or the mesh
// that does not exist.
absl::StatusOr<ReplicaGroups> MeshAxesGroups(const Op& op,
                                             const Attribute& attribute);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_COLLECTIVES_MESH_AXES_GROUPS_H_
