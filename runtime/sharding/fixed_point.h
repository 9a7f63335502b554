#ifndef LOCKSTEP_RUNTIME_SHARDING_FIXED_POINT_H_
#define LOCKSTEP_RUNTIME_SHARDING_FIXED_POINT_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/sharding/common_mesh_cache.h"
#include "runtime/sharding/compatible_axes.h"
#include "runtime/sharding/propagate_op.h"
#include "runtime/sharding/propagation_graph.h"
#include "runtime/sharding/sharding_change.h"
#include "runtime/sharding/sharding_writer.h"

namespace lockstep::internal {

// Propagates shardings through the nodes of a graph until no step changes one.
// Borrows the graph and the meshes. For one thread.
class FixedPoint {
 public:
  // `on_change` may be null.
  FixedPoint(const MeshTable& meshes, PropagationGraph& graph,
             ShardingChangeObserver on_change);

  // With one strategy, in the directions of DirectionsAtStep; first through all
  // nodes in program order, then through what changes touch. Returns are
  // propagated through before and after. INVALID_ARGUMENT: a mesh that is not
  // declared.
  absl::Status Reach(int step, PropagationStrategy strategy);

 private:
  // When a node was left unchanged: another visit would do nothing until one of
  // its slots changes or the directions do.
  struct Visit {
    int64_t at = -1;
    std::vector<PropagationDirection> directions;
  };

  absl::Status Return(PropagationStrategy strategy);
  // Whether anything changed.
  absl::StatusOr<bool> PassThroughNodes(int step, PropagationStrategy strategy);
  // The slots that changed, operands first.
  absl::StatusOr<std::vector<int>> Propagate(
      const PropagationNode& node,
      const std::vector<PropagationDirection>& directions,
      PropagationStrategy strategy);

  PropagationGraph& graph_;
  const ShardingWriter writer_;
  CommonMeshCache meshes_;
  std::array<std::vector<Visit>, 2> visits_;  // by strategy and node
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_FIXED_POINT_H_
