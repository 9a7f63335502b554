#include "runtime/sharding/gspmd_fixed_point.h"

#include <algorithm>
#include <optional>

#include "runtime/base/status.h"
#include "runtime/sharding/gspmd_sources.h"
#include "runtime/sharding/propagate_op.h"

namespace lockstep::internal {
namespace {

using Side = OpTensor::Side;

int64_t ShardsOf(const std::optional<TensorSharding>& sharding,
                 const CommonMesh& mesh) {
  int64_t shards = 1;
  if (!sharding.has_value()) return shards;
  for (const DimSharding& dim : sharding->dims) {
    shards *= dim.ShardCount(mesh.mesh.abstract());
  }
  return shards;
}

}  // namespace

GspmdFixedPoint::GspmdFixedPoint(const MeshTable& meshes,
                                 PropagationGraph& graph,
                                 ShardingChangeObserver on_change)
    : graph_(graph), writer_(graph, std::move(on_change)), meshes_(meshes) {}

absl::Status GspmdFixedPoint::Reach(int level) {
  visits_.clear();
  bool is_changed = true;
  while (is_changed) {
    ASSIGN_OR_RETURN(is_changed, PassToResults(level));
    ASSIGN_OR_RETURN(const bool is_changed_back, PassToOperands(level));
    is_changed |= is_changed_back;
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> GspmdFixedPoint::PassToResults(int level) {
  bool is_changed = false;
  for (const auto* nodes : {&graph_.nodes(), &graph_.returns()}) {
    for (const PropagationNode& node : *nodes) {
      for (int i = 0; i < static_cast<int>(node.results.size()); ++i) {
        ASSIGN_OR_RETURN(const bool merged,
                         Merge(node, {Side::kResult, i}, level));
        is_changed |= merged;
      }
    }
  }
  return is_changed;
}

absl::StatusOr<bool> GspmdFixedPoint::PassToOperands(int level) {
  bool is_changed = false;
  for (const PropagationNode& node : graph_.returns()) {
    ASSIGN_OR_RETURN(const bool merged,
                     Merge(node, {Side::kOperand, 0}, level));
    is_changed |= merged;
  }
  for (int slot = static_cast<int>(graph_.slots().size()) - 1; slot >= 0;
       --slot) {
    for (const int user : graph_.slots()[slot].users) {
      const PropagationNode& node = graph_.nodes()[user];
      for (int i = 0; i < static_cast<int>(node.operands.size()); ++i) {
        if (node.operands[i].slot != slot) continue;
        ASSIGN_OR_RETURN(const bool merged,
                         Merge(node, {Side::kOperand, i}, level));
        is_changed |= merged;
      }
    }
  }
  return is_changed;
}

void GspmdFixedPoint::KeepOneOfMostShards(
    const OpShardings& shardings, const CommonMesh& mesh,
    std::vector<OpTensor>& operands) const {
  const OpTensor most =
      *std::ranges::max_element(operands, {}, [&](const OpTensor& operand) {
        return ShardsOf(shardings.operands[operand.index], mesh);
      });
  operands = {most};
}

int64_t GspmdFixedPoint::ChangedAt(const PropagationNode& node,
                                   OpTensor tensor) const {
  const auto& views =
      tensor.side == Side::kOperand ? node.operands : node.results;
  return graph_.slots()[views[tensor.index].slot].changed_at;
}

absl::StatusOr<bool> GspmdFixedPoint::Merge(const PropagationNode& node,
                                            OpTensor target, int level) {
  TensorMerge merge = {.target = target,
                       .sources = GspmdSources(node, target, level),
                       .combines = level > 0};
  if (merge.sources.empty()) return false;
  const int tensor =
      target.side == Side::kOperand ? target.index : -1 - target.index;
  int64_t& visited = visits_.try_emplace({&node, tensor}, -1).first->second;
  // Of others in the op nothing depends.
  int64_t last_change = ChangedAt(node, target);
  for (const OpTensor& source : merge.sources) {
    last_change = std::max(last_change, ChangedAt(node, source));
  }
  if (visited >= last_change) return false;
  visited = last_change;
  const OpShardings shardings = graph_.ShardingsOf(node);
  ASSIGN_OR_RETURN(const CommonMesh* const mesh, meshes_.Find(shardings));
  if (mesh == nullptr) return false;
  if (!merge.combines && target.side == Side::kResult) {
    KeepOneOfMostShards(shardings, *mesh, merge.sources);
  }
  std::vector<int> changed;
  writer_.Write(node, shardings,
                PropagateOp(node.rule, *mesh, shardings,
                            {.strategy = PropagationStrategy::kMerging,
                             .directions = GspmdDirections(node),
                             .is_elementwise = node.is_elementwise,
                             .sub_axes = node.sub_axes,
                             .merge = std::move(merge)}),
                changed);
  return !changed.empty();
}

}  // namespace lockstep::internal
