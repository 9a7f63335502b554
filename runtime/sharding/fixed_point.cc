#include "runtime/sharding/fixed_point.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "runtime/base/status.h"
#include "runtime/sharding/op_directions.h"

namespace lockstep::internal {
namespace {

// Nodes that are still to be visited, the last one added first: users of what
// changed follow it closely, as in Shardy, where conflicts are settled in this
// order. A node that waits keeps its place.
class Worklist {
 public:
  explicit Worklist(size_t node_count) : is_waiting_(node_count) {}

  bool empty() const { return nodes_.empty(); }
  void Add(int node) {
    if (is_waiting_[node]) return;
    is_waiting_[node] = true;
    nodes_.push_back(node);
  }
  int Take() {
    const int node = nodes_.back();
    nodes_.pop_back();
    is_waiting_[node] = false;
    return node;
  }

 private:
  std::vector<int> nodes_;
  std::vector<bool> is_waiting_;
};

std::vector<std::optional<TensorSharding>> ShardingsOf(
    const PropagationGraph& graph, const std::vector<SlotView>& views) {
  std::vector<std::optional<TensorSharding>> shardings;
  shardings.reserve(views.size());
  for (const SlotView& view : views) shardings.push_back(graph.Get(view));
  return shardings;
}

int64_t LastChange(const PropagationNode& node, const PropagationGraph& graph) {
  int64_t last = 0;
  for (const auto* views : {&node.operands, &node.results}) {
    for (const SlotView& view : *views) {
      last = std::max(last, graph.slots()[view.slot].changed_at);
    }
  }
  return last;
}

}  // namespace

FixedPoint::FixedPoint(const MeshTable& meshes, PropagationGraph& graph,
                       ShardingChangeObserver on_change)
    : graph_(graph), on_change_(std::move(on_change)), meshes_(meshes) {
  for (std::vector<Visit>& visits : visits_) {
    visits.resize(graph.nodes().size());
  }
}

absl::Status FixedPoint::Reach(int step, PropagationStrategy strategy) {
  RETURN_IF_ERROR(Return(strategy));
  bool is_changed = true;
  while (is_changed) {
    ASSIGN_OR_RETURN(is_changed, PassThroughNodes(step, strategy));
  }
  return Return(strategy);
}

absl::Status FixedPoint::Return(PropagationStrategy strategy) {
  for (const PropagationNode& node : graph_.returns()) {
    RETURN_IF_ERROR(Propagate(node, {}, strategy).status());
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> FixedPoint::PassThroughNodes(
    int step, PropagationStrategy strategy) {
  const int node_count = static_cast<int>(graph_.nodes().size());
  std::vector<Visit>& visits = visits_[static_cast<size_t>(strategy)];
  Worklist worklist(graph_.nodes().size());
  for (int i = node_count - 1; i >= 0; --i) worklist.Add(i);
  bool is_changed = false;
  while (!worklist.empty()) {
    const int i = worklist.Take();
    const PropagationNode& node = graph_.nodes()[i];
    std::vector<PropagationDirection> directions =
        DirectionsAtStep(step, node.priority_class, node.rule);
    const int64_t last_change = LastChange(node, graph_);
    if (visits[i].at >= last_change && visits[i].directions == directions) {
      continue;
    }
    ASSIGN_OR_RETURN(const std::vector<int> changed,
                     Propagate(node, directions, strategy));
    visits[i] = {.at = last_change, .directions = std::move(directions)};
    for (const int slot : changed) {
      is_changed = true;
      const auto& [definers, users] =
          std::tie(graph_.slots()[slot].definers, graph_.slots()[slot].users);
      for (const int definer : definers) {
        if (definer != i) worklist.Add(definer);
      }
      for (auto user = users.rbegin(); user != users.rend(); ++user) {
        if (*user != i) worklist.Add(*user);
      }
    }
  }
  return is_changed;
}

absl::StatusOr<std::vector<int>> FixedPoint::Propagate(
    const PropagationNode& node,
    const std::vector<PropagationDirection>& directions,
    PropagationStrategy strategy) {
  std::vector<int> changed;
  if (!directions.empty() &&
      std::ranges::count(directions, PropagationDirection::kNone) ==
          static_cast<std::ptrdiff_t>(directions.size())) {
    return changed;
  }
  const OpShardings shardings = {.operands = ShardingsOf(graph_, node.operands),
                                 .results = ShardingsOf(graph_, node.results)};
  ASSIGN_OR_RETURN(const CommonMesh* const mesh, meshes_.Find(shardings));
  if (mesh == nullptr) return changed;
  OpShardingUpdates updates =
      PropagateOp(node.rule, *mesh, shardings,
                  {.strategy = strategy,
                   .directions = directions,
                   .is_elementwise = node.is_elementwise,
                   .sub_axes = node.sub_axes});
  SetAll(node, shardings, std::move(updates.operands), node.operands, changed);
  SetAll(node, shardings, std::move(updates.results), node.results, changed);
  return changed;
}

void FixedPoint::SetAll(const PropagationNode& node, const OpShardings& seen,
                        std::vector<std::optional<TensorSharding>> updates,
                        const std::vector<SlotView>& views,
                        std::vector<int>& changed) {
  for (size_t i = 0; i < updates.size(); ++i) {
    if (!updates[i].has_value()) continue;
    const int slot = views[i].slot;
    std::optional<TensorSharding> before;
    if (on_change_) before = graph_.slots()[slot].sharding;
    graph_.Set(views[i], *std::move(updates[i]));
    changed.push_back(slot);
    if (on_change_) Report(node, seen, slot, std::move(before));
  }
}

void FixedPoint::Report(const PropagationNode& node, const OpShardings& seen,
                        int slot, std::optional<TensorSharding> before) const {
  ShardingChange change;
  change.op = node.op;
  change.values = graph_.ValuesOf(slot);
  change.result = graph_.ResultOf(slot);
  change.before = std::move(before);
  change.after = *graph_.slots()[slot].sharding;
  const auto add = [&](const std::vector<SlotView>& views,
                       const std::vector<std::optional<TensorSharding>>& all) {
    for (size_t i = 0; i < views.size(); ++i) {
      if (views[i].slot == slot || !all[i].has_value()) continue;
      const std::vector<const Value*> values = graph_.ValuesOf(views[i].slot);
      change.sources.push_back(
          {.value = values.empty() ? nullptr : values.front(),
           .result = graph_.ResultOf(views[i].slot),
           .sharding = *all[i]});
    }
  };
  add(node.operands, seen.operands);
  add(node.results, seen.results);
  on_change_(change);
}

}  // namespace lockstep::internal
