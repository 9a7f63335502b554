#include "runtime/sharding/reshard_plan.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/sharding/reshard_phases.h"
#include "runtime/sharding/reshard_state.h"

namespace lockstep::internal {
namespace {

// What says where the data is: closed, without axes of size 1.
TensorSharding Layout(const TensorSharding& sharding,
                      const AbstractMesh& mesh) {
  const auto without_units = [&](const std::vector<AxisRef>& axes) {
    AxisList merged;
    for (const AxisRef& axis : axes) {
      if (axis.Size(mesh) > 1) AppendMerged(axis, mesh, merged);
    }
    return merged;
  };
  TensorSharding layout =
      UnshardedOn(sharding.mesh, sharding.rank(), /*is_closed=*/true);
  for (int64_t dim = 0; dim < sharding.rank(); ++dim) {
    layout.dims[dim].axes = without_units(sharding.dims[dim].axes);
  }
  layout.unreduced = without_units(sharding.unreduced);
  layout.reduction = sharding.reduction;
  return layout;
}

bool IsUnsharded(const TensorSharding& sharding) {
  return sharding.unreduced.empty() &&
         absl::c_all_of(sharding.dims, [](const DimSharding& dim) {
           return dim.axes.empty();
         });
}

// Of two layouts whose meshes differ at most in the order of their devices.
class Planner {
 public:
  Planner(const TensorSharding& from, const TensorSharding& to,
          const AbstractMesh& mesh, absl::Span<const int64_t> shape,
          bool is_reordered)
      : to_(to), is_reordered_(is_reordered), current_(from) {
    // Before they are permuted, tensors are on the mesh of `from`.
    if (!is_reordered) current_.mesh = to.mesh;
    GatherConflicts();
    state_.emplace(mesh, shape, current_.dims, to.dims);
  }

  ReshardPlan Run() && {
    // With axes whose sizes are powers of two one is enough.
    constexpr int kMaxRounds = 3;
    for (int i = 0; i < kMaxRounds && !IsDone(); ++i) RunRound();
    if (!IsDone()) {
      Add(GatherRestStep(*state_));
      Add(SliceRestStep(*state_));
    }
    return std::move(plan_);
  }

 private:
  bool IsDone() const { return !is_reordered_ && state_->IsDone(); }

  void RunRound() {
    Add(SliceStep(*state_));
    Permute();
    // First those that leave nothing to permute.
    for (const bool is_in_order : {true, false}) {
      for (int64_t dim = 0; dim < state_->rank(); ++dim) {
        while (Add(MoveStep(dim, is_in_order, *state_))) {
        }
      }
    }
    Add(GatherStep(*state_));
  }

  // The devices come into the order of the target in the first permute.
  void Permute() {
    std::optional<ReshardStep> step = PermuteStep(*state_);
    if (std::exchange(is_reordered_, false)) {
      current_.mesh = to_.mesh;
      if (!step.has_value()) step.emplace().kind = ReshardStep::Kind::kPermute;
    }
    Add(std::move(step));
  }

  // All axes of the dims with one that cannot coexist with one of the target:
  // no sharding on the way could have both.
  void GatherConflicts() {
    std::vector<AxisList> gathered;
    for (DimSharding& dim : current_.dims) {
      AxisList& axes = gathered.emplace_back();
      if (HasConflict(dim)) std::swap(axes, dim.axes);
    }
    std::optional<ReshardStep> step =
        StepAlong(ReshardStep::Kind::kGather, std::move(gathered));
    if (step.has_value()) AddWithCurrent(*std::move(step));
  }
  bool HasConflict(const DimSharding& dim) const {
    return absl::c_any_of(dim.axes, [&](const AxisRef& axis) {
      return absl::c_any_of(to_.dims, [&](const DimSharding& target) {
        return absl::c_any_of(target.axes, [&](const AxisRef& other) {
          return !axis.CanCoexistWith(other);
        });
      });
    });
  }

  bool Add(std::optional<ReshardStep> step) {
    if (!step.has_value()) return false;
    current_.dims = state_->Dims();
    AddWithCurrent(*std::move(step));
    return true;
  }
  void AddWithCurrent(ReshardStep step) {
    step.result = current_;
    plan_.steps.push_back(std::move(step));
  }

  const TensorSharding& to_;
  // The devices of the target are in another order, which no step has changed.
  bool is_reordered_;
  TensorSharding current_;  // the sharding after the last step
  ReshardPlan plan_;
  std::optional<ReshardState> state_;
};

absl::Status CheckRank(const TensorSharding& sharding, size_t rank) {
  if (sharding.dims.size() == rank) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("a tensor of rank ", rank, " has a sharding of ",
                   sharding.rank(), " dimensions"));
}

absl::Status CheckUnreduced(const TensorSharding& from,
                            const TensorSharding& to,
                            const AbstractMesh& mesh) {
  const auto sorted = [&](std::vector<AxisRef> axes) {
    absl::c_sort(axes, [&](const AxisRef& a, const AxisRef& b) {
      return IsBefore(a, b, mesh);
    });
    return axes;
  };
  if (sorted(from.unreduced) != sorted(to.unreduced)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a reshard changes the unreduced axes {", AxisRefsText(from.unreduced),
        "} to {", AxisRefsText(to.unreduced), "}"));
  }
  if (!from.unreduced.empty() && from.reduction != to.reduction) {
    return absl::InvalidArgumentError(
        absl::StrCat("a reshard changes how the unreduced axes {",
                     AxisRefsText(from.unreduced), "} are reduced"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ReshardPlan> PlanReshard(const TensorSharding& from,
                                        const TensorSharding& to,
                                        const MeshTable& meshes,
                                        absl::Span<const int64_t> shape) {
  ASSIGN_OR_RETURN(const ShardingMesh* from_mesh, MeshOfSharding(from, meshes));
  ASSIGN_OR_RETURN(const ShardingMesh* to_mesh, MeshOfSharding(to, meshes));
  ReshardPlan plan;
  if (from_mesh->is_maximal() || to_mesh->is_maximal()) {
    plan.is_transfer = *from_mesh != *to_mesh;
    return plan;
  }
  RETURN_IF_ERROR(CheckRank(from, shape.size()));
  RETURN_IF_ERROR(CheckRank(to, shape.size()));
  TensorSharding source = Layout(from, from_mesh->abstract());
  TensorSharding target = Layout(to, to_mesh->abstract());
  if (from_mesh->is_empty()) {
    source.mesh = to.mesh;
    from_mesh = to_mesh;
  } else if (IsUnsharded(target)) {
    target.mesh = from.mesh;
    to_mesh = from_mesh;
  }
  if (IsUnsharded(source) && IsUnsharded(target)) return plan;
  const AbstractMesh& mesh = from_mesh->abstract();
  plan.is_transfer = mesh != to_mesh->abstract();
  if (plan.is_transfer) return plan;
  RETURN_IF_ERROR(CheckUnreduced(source, target, mesh));
  return Planner(source, target, mesh, shape, *from_mesh != *to_mesh).Run();
}

}  // namespace lockstep::internal
