#include "runtime/passes/partition/reshard_lowering.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/passes/partition/value_sharding.h"
#include "runtime/sharding/axis_list.h"
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

// An unsigned type in whose sums GPUs have the bits of these elements: as one
// number each, or as several in a dim of their own.
struct Bits {
  ElementType type;
  int64_t parts = 1;
};
// None: they are no whole bytes, or two numbers.
std::optional<Bits> BitsOf(ElementType type) {
  if (type == ElementType::kPred) return Bits{ElementType::kU8};
  if (IsComplex(type)) return std::nullopt;
  switch (BitWidth(type)) {
    case 8:
      return Bits{ElementType::kU8};
    case 16:
      return Bits{ElementType::kU8, 2};
    case 32:
      return Bits{ElementType::kU32};
    case 64:
      return Bits{ElementType::kU64};
    default:
      return std::nullopt;
  }
}

absl::StatusOr<Value*> Bitcast(Value* x, ElementType type,
                               std::vector<int64_t> dims,
                               ShardBuilder& builder) {
  if (x->shape().element_type() == type) return x;
  // 0 and 1 are what a pred has as a number.
  const bool is_pred = type == ElementType::kPred ||
                       x->shape().element_type() == ElementType::kPred;
  return builder.BuildOfType(
      is_pred ? "stablehlo.convert" : "stablehlo.bitcast_convert", {x},
      Shape(type, std::move(dims)));
}

// Each device adds the bits of its part, at its place, to zeros: where one has
// any the others have none.
absl::StatusOr<Value*> JoinBits(Value* x, int64_t dim,
                                const std::vector<AxisRef>& axes, int64_t size,
                                const Bits& bits, ShardBuilder& builder) {
  const ElementType type = x->shape().element_type();
  std::vector<int64_t> dims(x->shape().dims().begin(), x->shape().dims().end());
  if (bits.parts > 1) dims.push_back(bits.parts);
  std::vector<std::vector<AxisRef>> dim_axes(dims.size());
  dim_axes[dim] = axes;
  ASSIGN_OR_RETURN(x, Bitcast(x, bits.type, dims, builder));
  ASSIGN_OR_RETURN(Value * zero,
                   builder.Constant(Literal(Shape(bits.type, {}))));
  ASSIGN_OR_RETURN(x, builder.Unsliced(x, dim_axes, zero));
  ASSIGN_OR_RETURN(x, builder.Shortened(x, dim, size));
  ASSIGN_OR_RETURN(x, builder.AllReduce(x, axes, "stablehlo.add"));
  if (bits.parts > 1) dims.pop_back();
  dims[dim] = size;
  return Bitcast(x, type, std::move(dims), builder);
}

// All of a dim of `size`, of which `x` is a shard along `axes`.
absl::StatusOr<Value*> GatherPadded(Value* x, int64_t dim,
                                    const std::vector<AxisRef>& axes,
                                    int64_t size, ShardBuilder& builder) {
  const int64_t gathered =
      x->shape().dim(dim) * ShardCount(axes, builder.mesh().abstract());
  const std::optional<Bits> bits = BitsOf(x->shape().element_type());
  // A reduction moves what there is twice, a gather the padding as well.
  if (2 * size < gathered && bits.has_value()) {
    return JoinBits(x, dim, axes, size, *bits, builder);
  }
  ASSIGN_OR_RETURN(x, builder.Gather(x, dim, axes));
  return builder.Shortened(x, dim, size);
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
    ASSIGN_OR_RETURN(x, GatherPadded(x, static_cast<int64_t>(dim),
                                     from.dims[dim].axes, shape[dim], builder));
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
