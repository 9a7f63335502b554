#include "runtime/backends/cuda/graph_turns.h"

#include <algorithm>

namespace lockstep::internal {

GraphTurns::Turn GraphTurns::Next(const Addresses& addresses) {
  using What = Turn::What;
  ++turns_;
  if (failures_ >= kMostFailures) return {What::kPut};
  auto graph =
      std::find_if(graphs_.begin(), graphs_.end(), [&](const Graph& candidate) {
        return candidate.used > 0 && candidate.addresses == addresses;
      });
  const bool is_known = graph != graphs_.end();
  if (!is_known) {
    graph = std::min_element(
        graphs_.begin(), graphs_.end(),
        [](const Graph& a, const Graph& b) { return a.used < b.used; });
    graph->addresses = addresses;
    graph->is_captured = false;
    ++moves_;
  }
  graph->used = turns_;
  const int position = static_cast<int>(graph - graphs_.begin());
  if (graph->is_captured) {
    moves_ = 0;
    return {What::kLaunch, position};
  }
  if (!is_known && moves_ > kMostMoves) return {What::kPut};
  graph->is_captured = true;
  return {What::kCapture, position};
}

void GraphTurns::SetFailed(int graph) {
  graphs_[graph].is_captured = false;
  ++failures_;
}

}  // namespace lockstep::internal
