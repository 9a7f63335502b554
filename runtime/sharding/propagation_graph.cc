#include "runtime/sharding/propagation_graph.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace lockstep::internal {

std::optional<TensorSharding> PropagationGraph::Get(
    const SlotView& view) const {
  const std::optional<TensorSharding>& sharding = slots_[view.slot].sharding;
  if (view.border == nullptr || !sharding.has_value()) return sharding;
  return view.side == SlotView::Side::kInside ? view.border->Inside(*sharding)
                                              : view.border->Outside(*sharding);
}

OpShardings PropagationGraph::ShardingsOf(const PropagationNode& node) const {
  OpShardings shardings;
  for (const SlotView& view : node.operands) {
    shardings.operands.push_back(Get(view));
  }
  for (const SlotView& view : node.results) {
    shardings.results.push_back(Get(view));
  }
  return shardings;
}

int64_t PropagationGraph::LastChange(const PropagationNode& node) const {
  int64_t last = 0;
  for (const auto* views : {&node.operands, &node.results}) {
    for (const SlotView& view : *views) {
      last = std::max(last, slots_[view.slot].changed_at);
    }
  }
  return last;
}

void PropagationGraph::Set(const SlotView& view, TensorSharding sharding) {
  ShardingSlot& slot = slots_[view.slot];
  slot.changed_at = ++change_count_;
  if (view.border == nullptr) {
    slot.sharding = std::move(sharding);
  } else if (view.side == SlotView::Side::kInside) {
    slot.sharding = view.border->Outside(sharding);
  } else {
    slot.sharding = view.border->Inside(sharding);
  }
}

void PropagationGraph::WriteTo(FunctionShardings& shardings) const {
  for (const SlotOfValue& entry : values_) {
    const std::optional<TensorSharding>& sharding = slots_[entry.slot].sharding;
    if (sharding.has_value()) shardings.values.Set(entry.value, *sharding);
  }
  shardings.results.clear();
  for (const int slot : results_) {
    shardings.results.push_back(slots_[slot].sharding);
  }
  for (const ManualComputation& computation : manual_computations_) {
    ManualShardings& manual = shardings.manual_computations.at(computation.op);
    for (size_t i = 0; i < manual.in.size(); ++i) {
      manual.in[i] = *Get(computation.in[i]);
    }
    for (size_t i = 0; i < manual.out.size(); ++i) {
      manual.out[i] = *Get(computation.out[i]);
    }
  }
}

std::vector<const Value*> PropagationGraph::ValuesOf(int slot) const {
  std::vector<const Value*> values;
  for (const SlotOfValue& entry : values_) {
    if (entry.slot == slot) values.push_back(entry.value);
  }
  return values;
}

int PropagationGraph::ResultOf(int slot) const {
  for (size_t i = 0; i < results_.size(); ++i) {
    if (results_[i] == slot) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace lockstep::internal
