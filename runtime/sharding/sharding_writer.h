#ifndef LOCKSTEP_RUNTIME_SHARDING_SHARDING_WRITER_H_
#define LOCKSTEP_RUNTIME_SHARDING_SHARDING_WRITER_H_

#include <optional>
#include <vector>

#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/propagate_op.h"
#include "runtime/sharding/propagation_graph.h"
#include "runtime/sharding/sharding_change.h"
#include "runtime/sharding/sharding_projection.h"

namespace lockstep::internal {

// Stores in a graph, which it borrows, what steps made of shardings, and tells
// an observer. For one thread.
class ShardingWriter {
 public:
  // `on_change` may be null.
  ShardingWriter(PropagationGraph& graph, ShardingChangeObserver on_change);

  // `seen` are the shardings that the step saw at the node. Appends the slots
  // that changed, operands first. Where a value is in several places, the last
  // of them wins.
  void Write(const PropagationNode& node, const OpShardings& seen,
             OpShardingUpdates updates, std::vector<int>& changed) const;

 private:
  void SetAll(const PropagationNode& node, const OpShardings& seen,
              std::vector<std::optional<TensorSharding>> updates,
              const std::vector<SlotView>& views,
              std::vector<int>& changed) const;
  void Report(const PropagationNode& node, const OpShardings& seen, int slot,
              std::optional<TensorSharding> before) const;

  PropagationGraph& graph_;
  const ShardingChangeObserver on_change_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_SHARDING_WRITER_H_
