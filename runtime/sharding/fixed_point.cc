#include "runtime/sharding/fixed_point.h"

#include <algorithm>
#include <cstddef>
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

}  // namespace

FixedPoint::FixedPoint(const MeshTable& meshes, PropagationGraph& graph,
                       ShardingChangeObserver on_change)
    : graph_(graph), writer_(graph, std::move(on_change)), meshes_(meshes) {
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
    const int64_t last_change = graph_.LastChange(node);
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
  const OpShardings shardings = graph_.ShardingsOf(node);
  ASSIGN_OR_RETURN(const CommonMesh* const mesh, meshes_.Find(shardings));
  if (mesh == nullptr) return changed;
  writer_.Write(node, shardings,
                PropagateOp(node.rule, *mesh, shardings,
                            {.strategy = strategy,
                             .directions = directions,
                             .is_elementwise = node.is_elementwise,
                             .sub_axes = node.sub_axes}),
                changed);
  return changed;
}

}  // namespace lockstep::internal
