#include <algorithm>
#include <cstddef>

#include "runtime/sharding/reshard_phases.h"

namespace lockstep::internal {
namespace {

struct Suffix {
  size_t begin = 0;
  int64_t target_dim = 0;
};

std::optional<Suffix> MovableSuffix(const ReshardState& state, int64_t source) {
  const AxisList& in = state.in[source];
  std::optional<Suffix> suffix;
  for (size_t i = in.size(); i-- > 0;) {
    const auto target = state.TargetOf(in[i]);
    if (!target.has_value() || target->dim == source) break;
    if (suffix.has_value() && target->dim != suffix->target_dim) break;
    suffix = Suffix{.begin = i, .target_dim = target->dim};
  }
  return suffix;
}

}  // namespace

std::optional<ReshardStep> MoveStep(int64_t source, bool is_in_order,
                                    ReshardState& state) {
  const std::optional<Suffix> suffix = MovableSuffix(state, source);
  if (!suffix.has_value()) return std::nullopt;
  const int64_t target = suffix->target_dim;
  const auto begin =
      state.in[source].begin() + static_cast<std::ptrdiff_t>(suffix->begin);
  const AxisList moved(begin, state.in[source].end());
  const AxisList& out = state.out[target];
  if (is_in_order &&
      !std::equal(moved.begin(), moved.end(), out.begin(),
                  out.begin() + static_cast<std::ptrdiff_t>(
                                    std::min(moved.size(), out.size())))) {
    return std::nullopt;
  }
  state.in[source].erase(begin, state.in[source].end());
  state.in[target].insert(state.in[target].end(), moved.begin(), moved.end());
  state.Settle(target);
  ReshardStep step;
  step.kind = ReshardStep::Kind::kMove;
  ReshardStep::Move& move = step.moves.emplace_back();
  for (const AxisRef& axis : moved) AppendMerged(axis, *state.mesh, move.axes);
  move.source_dim = source;
  move.target_dim = target;
  return step;
}

}  // namespace lockstep::internal
