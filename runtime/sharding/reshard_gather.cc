#include <utility>

#include "runtime/sharding/reshard_phases.h"

namespace lockstep::internal {
namespace {

std::vector<AxisList> Merged(const std::vector<AxisList>& lists,
                             const AbstractMesh& mesh) {
  std::vector<AxisList> merged;
  for (const AxisList& axes : lists) {
    AxisList& list = merged.emplace_back();
    for (const AxisRef& axis : axes) AppendMerged(axis, mesh, list);
  }
  return merged;
}

}  // namespace

std::optional<ReshardStep> GatherStep(ReshardState& state) {
  std::vector<AxisList> gathered;
  for (AxisList& in : state.in) {
    auto begin = in.end();
    while (begin != in.begin() && !state.TargetOf(*(begin - 1)).has_value()) {
      --begin;
    }
    gathered.emplace_back(begin, in.end());
    in.erase(begin, in.end());
  }
  return StepAlong(ReshardStep::Kind::kGather, Merged(gathered, *state.mesh));
}

std::optional<ReshardStep> GatherRestStep(ReshardState& state) {
  std::vector<AxisList> gathered = Merged(state.in, *state.mesh);
  for (AxisList& in : state.in) in.clear();
  return StepAlong(ReshardStep::Kind::kGather, std::move(gathered));
}

std::optional<ReshardStep> SliceRestStep(ReshardState& state) {
  std::vector<AxisList> sliced = Merged(state.out, *state.mesh);
  state.in = state.out;
  for (int64_t dim = 0; dim < state.rank(); ++dim) state.Settle(dim);
  return StepAlong(ReshardStep::Kind::kSlice, std::move(sliced));
}

std::optional<ReshardStep> StepAlong(ReshardStep::Kind kind,
                                     std::vector<AxisList> dim_axes) {
  if (AreEmpty(dim_axes)) return std::nullopt;
  ReshardStep step;
  step.kind = kind;
  step.dim_axes = std::move(dim_axes);
  return step;
}

}  // namespace lockstep::internal
