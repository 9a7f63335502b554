#ifndef LOCKSTEP_RUNTIME_SHARDING_PROPAGATION_GRAPH_H_
#define LOCKSTEP_RUNTIME_SHARDING_PROPAGATION_GRAPH_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/ir/module.h"
#include "runtime/ir/op.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/compatible_axes.h"
#include "runtime/sharding/function_shardings.h"
#include "runtime/sharding/manual_border.h"
#include "runtime/sharding/op_directions.h"
#include "runtime/sharding/sharding_projection.h"
#include "runtime/sharding/shared_shardings.h"
#include "runtime/sharding/value_shardings.h"

namespace lockstep::internal {

// One sharding of a function, whoever has it: a value, the targets of a
// data-flow edge, a sharding group, or a result of the function.
struct ShardingSlot {
  std::optional<TensorSharding> sharding;
  // Larger for each change of the graph.
  int64_t changed_at = 0;
  // The nodes of which it is a result, an operand, in program order.
  std::vector<int> definers = {};
  std::vector<int> users = {};
};

// A sharding as a node sees it: what is in the slot, or what that is on the
// other side of a border.
struct SlotView {
  enum class Side { kInside, kOutside };

  int slot = 0;
  const ManualBorder* border = nullptr;  // null: what is in the slot
  Side side = Side::kInside;
};

// What shardings go through: an op with a rule, a data-flow edge, or the return
// of a value.
struct PropagationNode {
  const Op* op = nullptr;  // null: no op
  OpShardingRule rule;
  OpPriorityClass priority_class = {};
  bool is_elementwise = false;
  SubAxes sub_axes = SubAxes::kAllowed;
  std::vector<SlotView> operands = {};
  std::vector<SlotView> results = {};
};

// A function as its propagation sees it. Borrows the function. For one thread.
class PropagationGraph {
 public:
  // INVALID_ARGUMENT: those of MergedGroups, of the rules of ops and of
  // OpPriorityClassOf; a sdy.manual_computation without ManualShardings, or
  // with others than one for each operand and result.
  //
  // With `is_conservative`, rules are as of ShardingRuleOptions, and ops give
  // no sub-axes on; edges and returns do.
  static absl::StatusOr<PropagationGraph> Build(
      const Function& function, const FunctionShardings& shardings,
      const std::vector<ShardingGroup>& groups, bool is_conservative = false);

  const std::vector<ShardingSlot>& slots() const { return slots_; }
  // In program order: those in regions behind their op, edges into regions
  // before what is in them, edges into results behind.
  const std::vector<PropagationNode>& nodes() const { return nodes_; }
  // From each value that the function returns to the result.
  const std::vector<PropagationNode>& returns() const { return returns_; }

  std::optional<TensorSharding> Get(const SlotView& view) const;
  // Those that the node sees.
  OpShardings ShardingsOf(const PropagationNode& node) const;
  // When one of them changed last.
  int64_t LastChange(const PropagationNode& node) const;
  // `sharding` has the border's manual axes where `view` is outside.
  void Set(const SlotView& view, TensorSharding sharding);

  void WriteTo(FunctionShardings& shardings) const;

  // The values that have the sharding of a slot, in program order; takes time
  // linear in the values of the function.
  std::vector<const Value*> ValuesOf(int slot) const;
  // The result of the function whose sharding it is; -1: it is none.
  int ResultOf(int slot) const;

 private:
  friend class PropagationGraphBuilder;

  std::vector<ShardingSlot> slots_;
  std::vector<PropagationNode> nodes_;
  std::vector<PropagationNode> returns_;
  int64_t change_count_ = 0;

  struct SlotOfValue {
    const Value* value;
    int slot;
  };
  std::vector<SlotOfValue> values_;
  std::vector<int> results_;  // slots
  struct ManualComputation {
    const Op* op;
    std::vector<SlotView> in;
    std::vector<SlotView> out;
  };
  std::vector<ManualComputation> manual_computations_;
  // Has the borders of the views.
  std::unique_ptr<const SharedShardings> shared_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_PROPAGATION_GRAPH_H_
