#include "client/partitioning/mesh_axes.h"

#include <string>

#include "client/trees/tree_map.h"

namespace lockstep {

absl::StatusOr<Tree<PartitionSpec>> mesh_axes(
    const Tree<LogicalAxisNames>& logical_axes, const LogicalAxisRules& rules) {
  return tree_map(
      [&](const LogicalAxisNames& names) {
        return LogicalToMeshAxes(names, rules);
      },
      logical_axes);
}

}  // namespace lockstep
