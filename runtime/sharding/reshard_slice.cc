#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "runtime/sharding/reshard_phases.h"

namespace lockstep::internal {
namespace {

class Slicing {
 public:
  explicit Slicing(ReshardState& state)
      : state_(state), mesh_(*state.mesh), sliced_(state.rank()) {
    for (int64_t dim = 0; dim < state.rank(); ++dim) {
      const int64_t target = ShardsAlong(state.out[dim], mesh_);
      capacity_.push_back(target /
                          std::gcd(ShardsAlong(state.in[dim], mesh_), target));
    }
  }

  // The axes added to each dim.
  std::vector<AxisList> Run() && {
    for (int64_t dim = 0; dim < state_.rank(); ++dim) SliceToMove(dim);
    for (int64_t dim = 0; dim < state_.rank(); ++dim) SliceInTarget(dim);
    for (int64_t dim = 0; dim < state_.rank(); ++dim) {
      for (const AxisRef& axis : state_.TakeAxes(available_, capacity_[dim])) {
        state_.in[dim].push_back(axis);
        AppendMerged(axis, mesh_, sliced_[dim]);
      }
    }
    return std::move(sliced_);
  }

 private:
  // If the last axes of a dim are to move to one without others, and axes that
  // no dim has follow them there, then all can move at once.
  void SliceToMove(int64_t source) {
    AxisList& in = state_.in[source];
    if (in.empty() || !state_.out[source].empty()) return;
    const auto target = state_.TargetOf(in.back());
    if (!target.has_value() || !state_.in[target->dim].empty()) return;
    const AxisList& out = state_.out[target->dim];
    const auto begin =
        out.begin() + static_cast<std::ptrdiff_t>(target->index) + 1;
    const auto end = std::find_if(begin, out.end(), [&](const AxisRef& axis) {
      return state_.IsIn(axis);
    });
    const AxisList added(begin, end);
    const size_t moved = CommonEnd(in, out, target->index + 1);
    if (added.empty() || HasAnyFor(target->dim, in, in.size() - moved)) return;
    const int64_t shards = ShardsAlong(state_.settled[source], mesh_) *
                           ShardsAlong(in, mesh_) * ShardsAlong(added, mesh_);
    if (state_.shape[source] % shards != 0) return;
    const AxisList moving(in.end() - static_cast<std::ptrdiff_t>(moved),
                          in.end());
    capacity_[target->dim] /=
        ShardsAlong(moving, mesh_) * ShardsAlong(added, mesh_);
    for (const AxisRef& axis : added) {
      in.push_back(axis);
      AppendMerged(axis, mesh_, sliced_[source]);
    }
  }

  // With how many axes `in` ends like the first `out_size` of `out`.
  static size_t CommonEnd(const AxisList& in, const AxisList& out,
                          size_t out_size) {
    size_t common = 0;
    while (common < std::min(in.size(), out_size) &&
           in[in.size() - 1 - common] == out[out_size - 1 - common]) {
      ++common;
    }
    return common;
  }

  // Whether one of the first `size` axes goes to `dim`.
  bool HasAnyFor(int64_t dim, const AxisList& axes, size_t size) const {
    return std::any_of(axes.begin(),
                       axes.begin() + static_cast<std::ptrdiff_t>(size),
                       [&](const AxisRef& axis) {
                         const auto target = state_.TargetOf(axis);
                         return target.has_value() && target->dim == dim;
                       });
  }

  // Axes that no dim has, in the dim of their target.
  void SliceInTarget(int64_t dim) {
    AxisList left;
    for (const AxisRef& axis : std::exchange(state_.out[dim], {})) {
      if (state_.IsIn(axis)) {
        left.push_back(axis);
        continue;
      }
      const AxisParts parts = TakeWithin(axis, mesh_, capacity_[dim]);
      if (parts.taken.has_value()) {
        AppendMerged(*parts.taken, mesh_, sliced_[dim]);
        if (left.empty() && state_.in[dim].empty()) {
          state_.settled[dim].push_back(*parts.taken);
        } else {
          state_.in[dim].push_back(*parts.taken);
          left.push_back(*parts.taken);
        }
      }
      if (parts.rest.has_value()) {
        available_.push_back(*parts.rest);
        left.push_back(*parts.rest);
      }
    }
    state_.out[dim] = std::move(left);
  }

  ReshardState& state_;
  const AbstractMesh& mesh_;
  // Into how many more shards each dim can be split.
  std::vector<int64_t> capacity_;
  std::vector<AxisList> sliced_;
  // Those that their dims have no room for.
  AxisList available_;
};

}  // namespace

std::optional<ReshardStep> SliceStep(ReshardState& state) {
  return StepAlong(ReshardStep::Kind::kSlice, Slicing(state).Run());
}

}  // namespace lockstep::internal
