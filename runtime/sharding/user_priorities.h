#ifndef LOCKSTEP_RUNTIME_SHARDING_USER_PRIORITIES_H_
#define LOCKSTEP_RUNTIME_SHARDING_USER_PRIORITIES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/propagation_graph.h"

namespace lockstep::internal {

// Dims of lower priority are propagated first (Shardy, user priorities; row
// Y-17). A dim that has to wait is closed and without axes until its turn, and
// its axes are replicated, so that no other dim gets them.

TensorSharding WithoutPriorities(TensorSharding sharding);

// At the turn of `priority`: dims of it as in `written`, dims of less as in
// `current`, which has the mesh and what was propagated to it since; the others
// wait. `written` is valid on `mesh`.
TensorSharding ShardingAtPriority(const TensorSharding& written,
                                  const TensorSharding& current,
                                  int64_t priority, const AbstractMesh& mesh);

// The priorities that the shardings of a graph have when it is built. Borrows
// the meshes and the graph. For one thread.
class UserPriorities {
 public:
  // INVALID_ARGUMENT: MeshOfSharding.
  static absl::StatusOr<UserPriorities> Create(const MeshTable& meshes,
                                               PropagationGraph& graph);

  // 0 and what there is beyond it, ascending.
  const std::vector<int64_t>& priorities() const { return priorities_; }
  // Begins the turn of a priority, after those before it.
  void Begin(int64_t priority);

 private:
  struct Waiting {
    int slot;
    TensorSharding written;
    const ShardingMesh* mesh;
  };

  explicit UserPriorities(PropagationGraph& graph) : graph_(&graph) {}

  PropagationGraph* graph_;
  std::vector<Waiting> waiting_;
  std::vector<int64_t> priorities_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_USER_PRIORITIES_H_
