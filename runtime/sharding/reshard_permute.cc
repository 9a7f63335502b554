#include <iterator>
#include <utility>

#include "absl/algorithm/container.h"
#include "runtime/sharding/reshard_phases.h"

namespace lockstep::internal {
namespace {

// Whether moves cannot bring the axes of the dim to their targets in order, or
// an axis to gather is behind one to move.
bool IsOutOfOrder(const ReshardState& state, int64_t dim) {
  std::vector<bool> is_seen(state.rank());
  is_seen[dim] = true;
  std::optional<ReshardState::Place> last;
  for (const AxisRef& axis : state.in[dim]) {
    const std::optional<ReshardState::Place> target = state.TargetOf(axis);
    if (target.has_value()) {
      const bool follows = last.has_value() && last->dim == target->dim &&
                           last->index + 1 == target->index;
      if (is_seen[target->dim] && !follows) return true;
      is_seen[target->dim] = true;
    } else if (last.has_value() && state.out[dim].empty()) {
      return true;
    }
    last = target;
  }
  return false;
}

// Whether an axis that the target lacks could be exchanged for one that it has
// and no dim does.
bool CanExchange(const ReshardState& state) {
  const auto is_missing_for = [&](const AxisRef& extra) {
    return absl::c_any_of(state.out, [&](const AxisList& axes) {
      return absl::c_any_of(axes, [&](const AxisRef& axis) {
        return !state.IsIn(axis) && SizesDivide(axis, extra, *state.mesh);
      });
    });
  };
  return absl::c_any_of(state.in, [&](const AxisList& axes) {
    return absl::c_any_of(axes, [&](const AxisRef& axis) {
      return !state.TargetOf(axis).has_value() && is_missing_for(axis);
    });
  });
}

bool NeedsPermute(const ReshardState& state) {
  for (int64_t dim = 0; dim < state.rank(); ++dim) {
    const AxisList& in = state.in[dim];
    const AxisList& out = state.out[dim];
    if (!in.empty() && !out.empty() &&
        SizesDivide(in.front(), out.front(), *state.mesh)) {
      return true;
    }
    if (IsOutOfOrder(state, dim)) return true;
  }
  return CanExchange(state);
}

// All axes that are not settled are put into dims anew: first those of the
// target into their places, as far as each dim has room, then the others.
class Rearrangement {
 public:
  explicit Rearrangement(const ReshardState& state)
      : state_(state), extra_(state.rank()) {
    for (int64_t dim = 0; dim < state.rank(); ++dim) {
      capacity_.push_back(ShardsAlong(state.in[dim], *state.mesh));
      for (const AxisRef& axis : state.in[dim]) {
        if (!state.TargetOf(axis).has_value()) extra_[dim].push_back(axis);
      }
      state_.in[dim].clear();
    }
  }

  // None if the number of shards of a dim cannot be kept.
  std::optional<ReshardState> Run() && {
    for (int64_t dim = 0; dim < state_.rank(); ++dim) SettleTargets(dim);
    FillWithTargets();
    for (int64_t dim = 0; dim < state_.rank(); ++dim) {
      FillFromFront(dim, extra_[dim]);
    }
    AxisList rest;
    for (const AxisList& axes : extra_) {
      absl::c_copy(axes, std::back_inserter(rest));
    }
    for (int64_t dim = 0; dim < state_.rank(); ++dim) FillFromFront(dim, rest);
    // Parts that were split off for a dim may fit into one before it.
    FillWithTargets();
    if (absl::c_any_of(capacity_, [](int64_t c) { return c != 1; })) {
      return std::nullopt;
    }
    return std::move(state_);
  }

 private:
  void SettleTargets(int64_t dim) {
    const int64_t shards = capacity_[dim];
    AxisList& out = state_.out[dim];
    TakeFront(out, capacity_[dim], state_.settled[dim]);
    absl::c_copy(out, std::back_inserter(available_));
    // The major ones are replaced first, so that the minor ones stay.
    AxisList replaced;
    int64_t used = shards / capacity_[dim];
    TakeFront(extra_[dim], used, replaced);
    absl::c_copy(replaced, std::back_inserter(extra_[dim]));
  }

  // Moves axes from the front of `axes` to the end of `taken` as long as they
  // fit into the capacity.
  void TakeFront(AxisList& axes, int64_t& capacity, AxisList& taken) const {
    while (!axes.empty()) {
      const AxisParts parts = TakeWithin(axes.front(), *state_.mesh, capacity);
      if (!parts.taken.has_value()) return;
      taken.push_back(*parts.taken);
      if (parts.rest.has_value()) {
        axes.front() = *parts.rest;
      } else {
        axes.erase(axes.begin());
      }
    }
  }

  // With axes of the target that have no place yet.
  void FillWithTargets() {
    for (int64_t dim = 0; dim < state_.rank(); ++dim) {
      absl::c_copy(state_.TakeAxes(available_, capacity_[dim]),
                   std::back_inserter(state_.in[dim]));
    }
  }

  // Axes to gather come before those to move, which can only leave from the
  // end.
  void FillFromFront(int64_t dim, AxisList& axes) {
    AxisList& in = state_.in[dim];
    const AxisList taken = state_.TakeAxes(axes, capacity_[dim]);
    in.insert(in.begin(), taken.begin(), taken.end());
  }

  ReshardState state_;
  // Into how many shards each dim is still to be split.
  std::vector<int64_t> capacity_;
  // Axes of the target that have no place yet.
  AxisList available_;
  // By dim, axes that the target lacks.
  std::vector<AxisList> extra_;
};

}  // namespace

std::optional<ReshardStep> PermuteStep(ReshardState& state) {
  if (!NeedsPermute(state)) return std::nullopt;
  std::optional<ReshardState> rearranged = Rearrangement(state).Run();
  if (!rearranged.has_value()) return std::nullopt;
  const bool is_changed = rearranged->Dims() != state.Dims();
  state = *std::move(rearranged);
  if (!is_changed) return std::nullopt;
  ReshardStep step;
  step.kind = ReshardStep::Kind::kPermute;
  return step;
}

}  // namespace lockstep::internal
