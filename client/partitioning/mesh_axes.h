#ifndef LOCKSTEP_CLIENT_PARTITIONING_MESH_AXES_H_
#define LOCKSTEP_CLIENT_PARTITIONING_MESH_AXES_H_

#include "absl/status/statusor.h"
#include "client/trees/tree.h"
#include "client/trees/tree_conversion.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/partitioning/logical_axes.h"
#include "runtime/mesh/partitioning/logical_axis_names.h"

namespace lockstep {

// T-21: the specs of a tree of arrays whose dimensions have these logical
// names. Where there is nothing, nothing. Errors of LogicalToMeshAxes, with the
// path of their leaf before them.
absl::StatusOr<Tree<PartitionSpec>> mesh_axes(
    const Tree<LogicalAxisNames>& logical_axes, const LogicalAxisRules& rules);
template <internal::ContainerOf<LogicalAxisNames> T>
absl::StatusOr<Tree<PartitionSpec>> mesh_axes(const T& logical_axes,
                                              const LogicalAxisRules& rules) {
  return mesh_axes(internal::TreeOf<LogicalAxisNames>(logical_axes), rules);
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_PARTITIONING_MESH_AXES_H_
