#include "runtime/sharding/sharding_writer.h"

#include <cstddef>
#include <utility>

namespace lockstep::internal {

ShardingWriter::ShardingWriter(PropagationGraph& graph,
                               ShardingChangeObserver on_change)
    : graph_(graph), on_change_(std::move(on_change)) {}

void ShardingWriter::Write(const PropagationNode& node, const OpShardings& seen,
                           OpShardingUpdates updates,
                           std::vector<int>& changed) const {
  SetAll(node, seen, std::move(updates.operands), node.operands, changed);
  SetAll(node, seen, std::move(updates.results), node.results, changed);
}

void ShardingWriter::SetAll(const PropagationNode& node,
                            const OpShardings& seen,
                            std::vector<std::optional<TensorSharding>> updates,
                            const std::vector<SlotView>& views,
                            std::vector<int>& changed) const {
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

void ShardingWriter::Report(const PropagationNode& node,
                            const OpShardings& seen, int slot,
                            std::optional<TensorSharding> before) const {
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
