#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/base/check.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_def.h"
#include "runtime/sharding/data_flow_edges.h"
#include "runtime/sharding/function_values.h"
#include "runtime/sharding/propagation_graph.h"
#include "runtime/sharding/shared_shardings.h"

namespace lockstep::internal {
namespace {

bool IsSharded(const Value& value) {
  return value.type().is_tensor() && value.shape().rank() > 0;
}

// One factor for each dim, in all tensors.
OpShardingRule IdentityRule(const Shape& shape, size_t operand_count) {
  OpShardingRule::Parts parts;
  OpShardingRule::TensorFactors dims;
  for (const int64_t size : shape.dims()) {
    dims.push_back({static_cast<int>(parts.factors.size())});
    parts.factors.push_back({.size = size});
  }
  parts.operands.assign(operand_count, dims);
  parts.results = {dims};
  absl::StatusOr<OpShardingRule> rule =
      OpShardingRule::Create(std::move(parts));
  LOCKSTEP_CHECK(rule.ok());
  return *std::move(rule);
}

absl::StatusOr<std::optional<OpShardingRule>> RuleOf(
    const Op& op, const ShardingRuleOptions& options) {
  if (op.def() != nullptr && op.def()->sharding()) {
    return op.def()->sharding()(op, options);
  }
  if (op.name() == "sdy.sharding_constraint" ||
      op.name() == "sdy.propagation_barrier") {
    return IdentityRule(op.result()->shape(), 1);
  }
  return std::nullopt;
}

}  // namespace

class PropagationGraphBuilder {
 public:
  PropagationGraphBuilder(const SharedShardings& shared, bool is_conservative,
                          PropagationGraph& graph)
      : shared_(shared), is_conservative_(is_conservative), graph_(graph) {
    AddSlots();
  }

  // Behind `region`, its arguments, and the ops and edges in it.
  absl::Status AddRegion(const Region& region) {
    for (const auto& argument : region.arguments()) {
      AddConstraint(argument.get());
    }
    for (const auto& op : region.ops()) {
      RETURN_IF_ERROR(AddOp(*op));
      const OpDataFlow flow = DataFlowOf(*op);
      for (const DataFlowEdge& edge : flow.into_regions) AddEdge(edge);
      for (const auto& inner : op->regions()) {
        RETURN_IF_ERROR(AddRegion(*inner));
      }
      for (const DataFlowEdge& edge : flow.into_results) AddEdge(edge);
      for (const auto& result : op->results()) AddConstraint(result.get());
    }
    return absl::OkStatus();
  }

  void AddReturns(const Region& body,
                  const std::vector<std::optional<TensorSharding>>& declared) {
    const std::vector<Value*>& returned = body.terminator()->operands();
    for (size_t i = 0; i < returned.size(); ++i) {
      const int slot =
          AddSlot(i < declared.size() ? declared[i] : std::nullopt);
      graph_.results_.push_back(slot);
      if (!IsSharded(*returned[i])) continue;
      graph_.returns_.push_back(
          {.rule = IdentityRule(returned[i]->shape(), 1),
           .priority_class = {.kind = OpPriorityClass::Kind::kFixed},
           .is_elementwise = true,
           .operands = {{.slot = UsedSlotOf(returned[i])}},
           .results = {{.slot = slot}}});
    }
  }

  void ConnectSlots() {
    const auto add = [](size_t node, std::vector<int>& nodes) {
      const int index = static_cast<int>(node);
      if (nodes.empty() || nodes.back() != index) nodes.push_back(index);
    };
    for (size_t i = 0; i < graph_.nodes_.size(); ++i) {
      for (const SlotView& operand : graph_.nodes_[i].operands) {
        add(i, graph_.slots_[operand.slot].users);
      }
      for (const SlotView& result : graph_.nodes_[i].results) {
        add(i, graph_.slots_[result.slot].definers);
      }
    }
  }

 private:
  int AddSlot(std::optional<TensorSharding> sharding) {
    graph_.slots_.push_back({.sharding = std::move(sharding)});
    return static_cast<int>(graph_.slots_.size()) - 1;
  }

  void AddSlots() {
    const std::vector<const Value*>& values = shared_.values().values();
    for (size_t i = 0; i < values.size(); ++i) {
      const int first = shared_.representatives()[i];
      const int slot = first < static_cast<int>(i)
                           ? graph_.values_[first].slot
                           : AddSlot(shared_.InitialOf(first));
      graph_.values_.push_back({.value = values[i], .slot = slot});
    }
    for (const ShardingGroup& group : shared_.open_groups()) {
      const int slot = AddSlot(std::nullopt);
      for (const Value* value : group) constraints_[value] = slot;
    }
    for (const Op* op : shared_.manual_computations()) {
      auto& computation = graph_.manual_computations_.emplace_back();
      computation.op = op;
      for (const auto& argument : op->region().arguments()) {
        computation.in.push_back(TargetView(argument.get()));
      }
      for (const auto& result : op->results()) {
        computation.out.push_back({.slot = SlotOf(result.get())});
      }
    }
  }

  int SlotOf(const Value* value) const {
    return graph_.values_[shared_.values().IndexOf(value)].slot;
  }
  // What users of the value see: that of its group if it starts open, as if
  // each value of it had an open sdy.sharding_constraint behind it.
  int UsedSlotOf(const Value* value) const {
    const auto found = constraints_.find(value);
    return found == constraints_.end() ? SlotOf(value) : found->second;
  }
  // What an edge sees of its target: with a sdy.manual_computation between
  // them it is on the side of the sources.
  SlotView TargetView(const Value* target) const {
    const TargetBorder* const border = shared_.BorderOf(target);
    if (border == nullptr) return {.slot = SlotOf(target)};
    return {.slot = SlotOf(target),
            .border = border->border.get(),
            .side = border->is_inside ? SlotView::Side::kOutside
                                      : SlotView::Side::kInside};
  }

  absl::Status AddOp(const Op& op) {
    ASSIGN_OR_RETURN(std::optional<OpShardingRule> rule,
                     RuleOf(op, {.is_conservative = is_conservative_}));
    if (!rule.has_value() || rule->factors().empty()) return absl::OkStatus();
    PropagationNode node{
        .op = &op,
        .rule = *std::move(rule),
        .is_elementwise = IsElementwiseInPropagation(op),
        .sub_axes = is_conservative_ ? SubAxes::kRefused : SubAxes::kAllowed};
    ASSIGN_OR_RETURN(node.priority_class, OpPriorityClassOf(op));
    for (const Value* operand : op.operands()) {
      node.operands.push_back({.slot = UsedSlotOf(operand)});
      node.priority_class.has_shared_operand |=
          IsSharded(*operand) && shared_.values().UseCount(operand) > 1;
    }
    for (const auto& result : op.results()) {
      node.results.push_back({.slot = SlotOf(result.get())});
    }
    graph_.nodes_.push_back(std::move(node));
    return absl::OkStatus();
  }

  // The edge is the only user of its owner, so it shares no operand.
  void AddEdge(const DataFlowEdge& edge) {
    PropagationNode node{
        .rule = IdentityRule(edge.sources[0]->shape(), edge.sources.size()),
        .priority_class = {.kind = OpPriorityClass::Kind::kPassThrough},
        .results = {TargetView(edge.targets[0])}};
    for (const Value* source : edge.sources) {
      node.operands.push_back({.slot = UsedSlotOf(source)});
    }
    graph_.nodes_.push_back(std::move(node));
  }

  void AddConstraint(const Value* value) {
    if (!constraints_.contains(value) || !IsSharded(*value)) return;
    graph_.nodes_.push_back(
        {.rule = IdentityRule(value->shape(), 1),
         .priority_class = {.kind = OpPriorityClass::Kind::kPassThrough},
         .is_elementwise = true,
         .operands = {{.slot = SlotOf(value)}},
         .results = {{.slot = UsedSlotOf(value)}}});
  }

  const SharedShardings& shared_;
  const bool is_conservative_;
  PropagationGraph& graph_;
  // The slots of open groups, by value.
  absl::flat_hash_map<const Value*, int> constraints_;
};

absl::StatusOr<PropagationGraph> PropagationGraph::Build(
    const Function& function, const FunctionShardings& shardings,
    const std::vector<ShardingGroup>& groups, bool is_conservative) {
  ASSIGN_OR_RETURN(SharedShardings shared,
                   SharedShardings::Create(function, shardings, groups));
  PropagationGraph graph;
  graph.shared_ = std::make_unique<const SharedShardings>(std::move(shared));
  PropagationGraphBuilder builder(*graph.shared_, is_conservative, graph);
  RETURN_IF_ERROR(builder.AddRegion(function.body()));
  builder.AddReturns(function.body(), shardings.results);
  builder.ConnectSlots();
  return graph;
}

}  // namespace lockstep::internal
