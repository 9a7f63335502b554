#include <utility>

#include "runtime/base/status.h"
#include "runtime/passes/partition/local_indexing.h"

namespace lockstep::internal {
namespace {

// Dims of the operand that are split while the update is not.
std::vector<int64_t> SearchedDims(const std::vector<ShardedValue>& operands) {
  std::vector<int64_t> dims;
  for (int64_t dim = 0; dim < operands[0].global.shape().rank(); ++dim) {
    if (!operands[0].sharding.dims[dim].axes.empty() &&
        operands[0].global.shape().dim(dim) !=
            operands[1].global.shape().dim(dim)) {
      dims.push_back(dim);
    }
  }
  return dims;
}

// A scalar index as i64, where the whole update is inside the whole operand.
absl::StatusOr<Value*> Clamped(Value* index, int64_t last,
                               ShardBuilder& builder) {
  IndexedWindows single;
  ASSIGN_OR_RETURN(const std::vector<Value*> components,
                   IndexComponents(index, single, builder));
  ASSIGN_OR_RETURN(Value * zero, builder.IndexConstant(0));
  ASSIGN_OR_RETURN(Value * end, builder.IndexConstant(last));
  return builder.Build("stablehlo.clamp", {zero, components[0], end});
}

// Where the update begins in the shard with `room` before it.
absl::StatusOr<Value*> LocalStart(const std::vector<ShardedValue>& operands,
                                  int64_t dim, int64_t room,
                                  ShardBuilder& builder) {
  const int64_t last =
      operands[0].global.shape().dim(dim) - operands[1].global.shape().dim(dim);
  ASSIGN_OR_RETURN(Value * start,
                   Clamped(operands[dim + 2].local, last, builder));
  if (room == 0) return start;
  ASSIGN_OR_RETURN(Value * first, ShardStart(operands[0], dim, builder));
  ASSIGN_OR_RETURN(Value * before, builder.IndexConstant(room));
  ASSIGN_OR_RETURN(start, builder.Build("stablehlo.add", {start, before}));
  return builder.Build("stablehlo.subtract", {start, first});
}

// `x` with `room` on either side of its dims.
absl::StatusOr<Value*> WithRoom(Value* x, const std::vector<int64_t>& room,
                                ShardBuilder& builder) {
  AttributeMap attributes;
  attributes.Set("edge_padding_low", Attribute::I64Array(room));
  attributes.Set("edge_padding_high", Attribute::I64Array(room));
  attributes.Set("interior_padding",
                 Attribute::I64Array(std::vector<int64_t>(room.size(), 0)));
  ASSIGN_OR_RETURN(
      Value * zero,
      builder.Constant(Literal(Shape(x->shape().element_type(), {}))));
  return builder.Build("stablehlo.pad", {x, zero}, std::move(attributes));
}

absl::StatusOr<Value*> WithoutRoom(Value* x, const std::vector<int64_t>& room,
                                   ShardBuilder& builder) {
  std::vector<int64_t> ends;
  for (size_t dim = 0; dim < room.size(); ++dim) {
    ends.push_back(x->shape().dim(static_cast<int64_t>(dim)) - room[dim]);
  }
  AttributeMap attributes;
  attributes.Set("start_indices", Attribute::I64Array(room));
  attributes.Set("limit_indices", Attribute::I64Array(ends));
  attributes.Set("strides",
                 Attribute::I64Array(std::vector<int64_t>(room.size(), 1)));
  return builder.Build("stablehlo.slice", {x}, std::move(attributes));
}

}  // namespace

// The shard gets room for a whole update on either side: what falls outside is
// written there.
absl::StatusOr<Value*> UpdateShard(const std::vector<ShardedValue>& operands,
                                   ShardBuilder& builder) {
  const std::vector<int64_t> searched = SearchedDims(operands);
  if (searched.empty()) return nullptr;
  const Shape& update = operands[1].local->shape();
  std::vector<int64_t> room(static_cast<size_t>(update.rank()), 0);
  for (const int64_t dim : searched) room[dim] = update.dim(dim);
  ASSIGN_OR_RETURN(Value * x, WithRoom(operands[0].local, room, builder));
  std::vector<Value*> all = {x, operands[1].local};
  for (int64_t dim = 0; dim < update.rank(); ++dim) {
    ASSIGN_OR_RETURN(Value * start,
                     LocalStart(operands, dim, room[dim], builder));
    all.push_back(start);
  }
  ASSIGN_OR_RETURN(
      x, builder.Build("stablehlo.dynamic_update_slice", std::move(all)));
  return WithoutRoom(x, room, builder);
}

}  // namespace lockstep::internal
