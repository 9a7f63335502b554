#ifndef LOCKSTEP_CLIENT_PARTITIONING_MESH_AXES_H_
#define LOCKSTEP_CLIENT_PARTITIONING_MESH_AXES_H_

#include "absl/status/statusor.h"
#include "client/trees/tree.h"
#include "client/trees/tree_conversion.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/partitioning/logical_axes.h"
#include "runtime/mesh/partitioning/logical_axis_names.h"
#include "runtime/mesh/partitioning/partitioner.h"

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

// T-21: the names that count for a partitioner: all of them, or, when it has no
// named axes, a tree of the same form with nothing in the place of each.
Tree<LogicalAxisNames> logical_axes(const Tree<LogicalAxisNames>& names,
                                    const Partitioner& partitioner);
template <internal::ContainerOf<LogicalAxisNames> T>
Tree<LogicalAxisNames> logical_axes(const T& names,
                                    const Partitioner& partitioner) {
  return logical_axes(internal::TreeOf<LogicalAxisNames>(names), partitioner);
}
// T-21: mesh_axes of these, by the rules of the partitioner. Where there is
// nothing, shardings are left open.
absl::StatusOr<Tree<PartitionSpec>> mesh_axes(
    const Tree<LogicalAxisNames>& names, const Partitioner& partitioner);
template <internal::ContainerOf<LogicalAxisNames> T>
absl::StatusOr<Tree<PartitionSpec>> mesh_axes(const T& names,
                                              const Partitioner& partitioner) {
  return mesh_axes(internal::TreeOf<LogicalAxisNames>(names), partitioner);
}

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_PARTITIONING_MESH_AXES_H_
