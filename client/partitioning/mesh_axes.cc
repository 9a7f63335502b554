#include "client/partitioning/mesh_axes.h"

#include <string>

#include "client/trees/tree_map.h"
#include "client/trees/tree_prefix.h"

namespace lockstep {

absl::StatusOr<Tree<PartitionSpec>> mesh_axes(
    const Tree<LogicalAxisNames>& logical_axes, const LogicalAxisRules& rules) {
  return tree_map(
      [&](const LogicalAxisNames& names) {
        return LogicalToMeshAxes(names, rules);
      },
      logical_axes);
}

Tree<LogicalAxisNames> logical_axes(const Tree<LogicalAxisNames>& names,
                                    const Partitioner& partitioner) {
  if (partitioner.has_named_axes()) return names;
  using Names = Tree<LogicalAxisNames>;
  // A tree is a prefix of itself.
  return *internal::TransformByPrefix<LogicalAxisNames>(
      names, names,
      [](const LogicalAxisNames*, const Names&,
         const std::string&) -> absl::StatusOr<Names> { return Names(); });
}

absl::StatusOr<Tree<PartitionSpec>> mesh_axes(
    const Tree<LogicalAxisNames>& names, const Partitioner& partitioner) {
  return mesh_axes(logical_axes(names, partitioner),
                   partitioner.logical_axis_rules());
}

}  // namespace lockstep
