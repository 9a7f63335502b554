#include "runtime/ops/mesh_axes_groups.h"

#include "runtime/base/status.h"

namespace lockstep {

absl::StatusOr<ReplicaGroups> MeshAxesGroups(const Op& op, const Attribute&) {
  return op.Unimplemented("replica_groups given as mesh axes");
}

}  // namespace lockstep
