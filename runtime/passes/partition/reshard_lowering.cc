#include "runtime/passes/partition/reshard_lowering.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/passes/partition/value_sharding.h"
#include "runtime/sharding/reshard_plan.h"

namespace lockstep::internal {
namespace {

bool DividesAlways(const TensorSharding& from, const ReshardPlan& plan,
                   absl::Span<const int64_t> shape, const AbstractMesh& mesh) {
  return DividesDims(from, shape, mesh) &&
         std::all_of(plan.steps.begin(), plan.steps.end(),
                     [&](const ReshardStep& step) {
                       return DividesDims(step.result, shape, mesh);
                     });
}

absl::StatusOr<Value*> LowerStep(Value* x, const TensorSharding& from,
                                 const ReshardStep& step,
                                 ShardBuilder& builder) {
  switch (step.kind) {
    case ReshardStep::Kind::kSlice:
      return builder.Slice(x, step.dim_axes);
    case ReshardStep::Kind::kPermute:
      return builder.Permute(x, from, step.result);
    case ReshardStep::Kind::kMove:
      for (const ReshardStep::Move& move : step.moves) {
        ASSIGN_OR_RETURN(
            x, builder.Move(x, move.axes, move.source_dim, move.target_dim));
      }
      return x;
    case ReshardStep::Kind::kGather:
      // The last dim is the cheapest to put together: the first gathers have
      // the least to move.
      for (size_t dim = step.dim_axes.size(); dim-- > 0;) {
        if (step.dim_axes[dim].empty()) continue;
        ASSIGN_OR_RETURN(x, builder.Gather(x, static_cast<int64_t>(dim),
                                           step.dim_axes[dim]));
      }
      return x;
  }
  return x;
}

absl::StatusOr<Value*> GatherAndSlice(Value* x, const TensorSharding& from,
                                      const TensorSharding& to,
                                      absl::Span<const int64_t> shape,
                                      ShardBuilder& builder) {
  std::vector<std::vector<AxisRef>> sliced(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (from.dims[dim].axes == to.dims[dim].axes) continue;
    sliced[dim] = to.dims[dim].axes;
    if (from.dims[dim].axes.empty()) continue;
    const int64_t d = static_cast<int64_t>(dim);
    ASSIGN_OR_RETURN(x, builder.Gather(x, d, from.dims[dim].axes));
    ASSIGN_OR_RETURN(x, builder.Shortened(x, d, shape[dim]));
  }
  const bool is_whole =
      std::all_of(sliced.begin(), sliced.end(),
                  [](const auto& axes) { return axes.empty(); });
  if (is_whole) return x;
  return builder.Slice(x, sliced);
}

}  // namespace

absl::StatusOr<Value*> LowerReshard(Value* x, const TensorSharding& from,
                                    const TensorSharding& to,
                                    const MeshTable& meshes,
                                    absl::Span<const int64_t> shape,
                                    ShardBuilder& builder) {
  ASSIGN_OR_RETURN(const ReshardPlan plan,
                   PlanReshard(from, to, meshes, shape));
  if (plan.is_transfer) {
    return absl::UnimplementedError(
        absl::StrCat("a reshard from ", ToSdyString(from), " to ",
                     ToSdyString(to), ": the meshes differ"));
  }
  const AbstractMesh& mesh = builder.mesh().abstract();
  if (!DividesAlways(from, plan, shape, mesh)) {
    return GatherAndSlice(x, from, to, shape, builder);
  }
  TensorSharding at = from;
  for (const ReshardStep& step : plan.steps) {
    ASSIGN_OR_RETURN(x, LowerStep(x, at, step, builder));
    at = step.result;
  }
  return x;
}

}  // namespace lockstep::internal
