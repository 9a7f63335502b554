#ifndef LOCKSTEP_RUNTIME_SHARDING_GSPMD_FIXED_POINT_H_
#define LOCKSTEP_RUNTIME_SHARDING_GSPMD_FIXED_POINT_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/sharding/common_mesh_cache.h"
#include "runtime/sharding/propagation_graph.h"
#include "runtime/sharding/sharding_change.h"
#include "runtime/sharding/sharding_writer.h"
#include "runtime/sharding/tensor_merge.h"

namespace lockstep::internal {

// Propagates shardings through the nodes of a graph as GSPMD does, until no
// step changes one: through all nodes in program order, from operands to
// results, then through the users of all values, the last value first, the
// first user of each first, from results to operands, and again. So the first
// sharding that reaches a value is its own, which others may add to. Borrows
// the graph and the meshes. For one thread.
class GspmdFixedPoint {
 public:
  // `on_change` may be null.
  GspmdFixedPoint(const MeshTable& meshes, PropagationGraph& graph,
                  ShardingChangeObserver on_change);

  // With what GspmdSources has at the level. INVALID_ARGUMENT: a mesh that is
  // not declared.
  absl::Status Reach(int level);

 private:
  // Whether anything changed.
  absl::StatusOr<bool> PassToResults(int level);
  absl::StatusOr<bool> PassToOperands(int level);
  absl::StatusOr<bool> Merge(const PropagationNode& node, OpTensor target,
                             int level);

  int64_t ChangedAt(const PropagationNode& node, OpTensor tensor) const;
  // The first of those with most shards.
  void KeepOneOfMostShards(const OpShardings& shardings, const CommonMesh& mesh,
                           std::vector<OpTensor>& operands) const;

  PropagationGraph& graph_;
  const ShardingWriter writer_;
  CommonMeshCache meshes_;
  // When a tensor of a node was left as it was: another visit would do nothing
  // until it or one of its sources changes.
  using Visits =
      absl::flat_hash_map<std::pair<const PropagationNode*, int>, int64_t>;
  Visits visits_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_GSPMD_FIXED_POINT_H_
