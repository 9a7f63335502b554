#include <algorithm>
#include <optional>
#include <utility>

#include "runtime/base/status.h"
#include "runtime/passes/partition/local_indexing.h"

namespace lockstep::internal {
namespace {

// Dims of the operand that are split and of which a window has one element.
std::vector<int64_t> SearchedDims(const IndexedWindows& windows,
                                  const std::vector<int64_t>& slice_sizes,
                                  const ShardedValue& operand) {
  std::vector<int64_t> dims;
  for (int64_t dim = 0; dim < operand.global.shape().rank(); ++dim) {
    const auto& batching = windows.operand_batching_dims;
    const bool is_batching =
        std::find(batching.begin(), batching.end(), dim) != batching.end();
    if (!is_batching && slice_sizes[dim] == 1 &&
        operand.global.shape().dim(dim) > 1 &&
        !operand.sharding.dims[dim].axes.empty()) {
      dims.push_back(dim);
    }
  }
  return dims;
}

absl::StatusOr<Value*> Compared(Value* a, absl::string_view direction, Value* b,
                                ShardBuilder& builder) {
  AttributeMap attributes;
  attributes.Set(
      "comparison_direction",
      Attribute::Enum{"comparison_direction", std::string(direction)});
  return builder.Build("stablehlo.compare", {a, b}, std::move(attributes));
}

// Whether all hold; null does.
absl::StatusOr<Value*> And(Value* a, Value* b, ShardBuilder& builder) {
  if (a == nullptr) return b;
  return builder.Build("stablehlo.and", {a, b});
}

// 0 <= place < size.
absl::StatusOr<Value*> IsWithin(Value* place, int64_t size,
                                ShardBuilder& builder) {
  const Dims dims(place->shape().dims().begin(), place->shape().dims().end());
  ASSIGN_OR_RETURN(Value * zero, builder.IndexConstant(0));
  ASSIGN_OR_RETURN(zero, builder.Broadcast(zero, dims));
  ASSIGN_OR_RETURN(Value * end, builder.IndexConstant(size));
  ASSIGN_OR_RETURN(end, builder.Broadcast(end, dims));
  ASSIGN_OR_RETURN(Value * low, Compared(place, "GE", zero, builder));
  ASSIGN_OR_RETURN(Value * high, Compared(place, "LT", end, builder));
  return And(low, high, builder);
}

// The place in the shard of what is at `index` of the whole dim.
absl::StatusOr<Value*> PlaceInShard(Value* index, const ShardedValue& operand,
                                    int64_t dim, ShardBuilder& builder) {
  const Dims dims(index->shape().dims().begin(), index->shape().dims().end());
  ASSIGN_OR_RETURN(Value * zero, builder.IndexConstant(0));
  ASSIGN_OR_RETURN(Value * last,
                   builder.IndexConstant(operand.global.shape().dim(dim) - 1));
  ASSIGN_OR_RETURN(index,
                   builder.Build("stablehlo.clamp", {zero, index, last}));
  ASSIGN_OR_RETURN(Value * start, ShardStart(operand, dim, builder));
  ASSIGN_OR_RETURN(start, builder.Broadcast(start, dims));
  return builder.Build("stablehlo.subtract", {index, start});
}

}  // namespace

absl::StatusOr<Value*> TakeIndicesOfGather(const Op& op,
                                           std::vector<ShardedValue>& operands,
                                           ShardBuilder& builder) {
  ASSIGN_OR_RETURN(const IndexedWindows windows, GatherWindowsOf(op));
  ASSIGN_OR_RETURN(const std::vector<int64_t> slice_sizes,
                   op.IntegersAttribute("slice_sizes"));
  const ShardedValue& operand = operands[0];
  Value*& indices = operands[1].local;
  const std::vector<int64_t> searched =
      SearchedDims(windows, slice_sizes, operand);
  if (searched.empty()) return nullptr;
  ASSIGN_OR_RETURN(std::vector<Value*> components,
                   IndexComponents(indices, windows, builder));
  const Dims positions = windows.PositionSizes(indices->shape());
  Value* inside = nullptr;
  for (const int64_t dim : searched) {
    const auto& map = windows.index_map;
    const auto found = std::find(map.begin(), map.end(), dim);
    Value* place = nullptr;
    if (found != map.end()) {
      Value*& component = components[found - map.begin()];
      ASSIGN_OR_RETURN(component,
                       PlaceInShard(component, operand, dim, builder));
      place = component;
    } else {
      ASSIGN_OR_RETURN(place, builder.IndexConstant(0));
      ASSIGN_OR_RETURN(place, builder.Broadcast(place, positions));
      ASSIGN_OR_RETURN(place, PlaceInShard(place, operand, dim, builder));
    }
    ASSIGN_OR_RETURN(Value * is_within,
                     IsWithin(place, operand.local->shape().dim(dim), builder));
    ASSIGN_OR_RETURN(inside, And(inside, is_within, builder));
  }
  if (components.empty()) return inside;
  const Shape shape = indices->shape();
  ASSIGN_OR_RETURN(
      indices, JoinedIndices(std::move(components), shape, windows, builder));
  return inside;
}

absl::StatusOr<Value*> ZeroOutside(const Op& op, Value* result, Value* inside,
                                   ShardBuilder& builder) {
  ASSIGN_OR_RETURN(const IndexedWindows windows, GatherWindowsOf(op));
  const Shape shape = result->shape();
  AttributeMap attributes;
  attributes.Set("broadcast_dimensions",
                 Attribute::I64Array(windows.PositionDims(shape.rank())));
  ASSIGN_OR_RETURN(Value * is_inside,
                   builder.BuildOfType("stablehlo.broadcast_in_dim", {inside},
                                       Shape(ElementType::kPred, shape.dims()),
                                       std::move(attributes)));
  ASSIGN_OR_RETURN(Value * zero,
                   builder.Constant(Literal(Shape(shape.element_type(), {}))));
  ASSIGN_OR_RETURN(zero, builder.Broadcast(zero, shape.dims()));
  return builder.Build("stablehlo.select", {is_inside, result, zero});
}

}  // namespace lockstep::internal
