// The collectives of ShardBuilder.
#include <algorithm>
#include <memory>

#include "runtime/base/status.h"
#include "runtime/mesh/sharding/device_groups.h"
#include "runtime/passes/partition/shard_builder.h"

namespace lockstep::internal {
namespace {

// Rows of equal length as a constant of i64.
Attribute Table(const std::vector<std::vector<int64_t>>& rows) {
  const int64_t width = rows.empty() ? 0 : static_cast<int64_t>(rows[0].size());
  Literal literal(
      Shape(ElementType::kS64, {static_cast<int64_t>(rows.size()), width}));
  int64_t* next = literal.mutable_data<int64_t>().data();
  for (const std::vector<int64_t>& row : rows) {
    next = std::copy(row.begin(), row.end(), next);
  }
  return Attribute::FromLiteral(std::move(literal));
}

std::vector<std::vector<int64_t>> RowsOf(
    const std::vector<SourceTarget>& pairs) {
  std::vector<std::vector<int64_t>> rows;
  rows.reserve(pairs.size());
  for (const SourceTarget& pair : pairs) {
    rows.push_back({pair.source, pair.target});
  }
  return rows;
}

Attribute Channel(int64_t id) {
  Attribute::Struct channel{"channel_handle", {}};
  channel.fields.Append("handle", Attribute::I64(id));
  channel.fields.Append("type", Attribute::I64(1));
  return channel;
}

}  // namespace

AttributeMap ShardBuilder::CollectiveAttributes(absl::Span<const AxisRef> axes,
                                                bool is_flattened) {
  AttributeMap attributes;
  attributes.Set("replica_groups", Table(DeviceGroups(axes, mesh_)));
  attributes.Set("channel_handle", Channel(channels_.Next()));
  if (is_flattened) {
    attributes.Set("use_global_device_ids", Attribute::Unit());
  }
  return attributes;
}

absl::StatusOr<Value*> ShardBuilder::Gather(Value* x, int64_t dim,
                                            absl::Span<const AxisRef> axes) {
  AttributeMap attributes = CollectiveAttributes(axes, true);
  attributes.Set("all_gather_dim", Attribute::I64(dim));
  return Build("stablehlo.all_gather", {x}, std::move(attributes));
}

absl::StatusOr<Value*> ShardBuilder::Move(Value* x,
                                          absl::Span<const AxisRef> axes,
                                          int64_t source_dim,
                                          int64_t target_dim) {
  AttributeMap attributes = CollectiveAttributes(axes, false);
  attributes.Set("split_dimension", Attribute::I64(target_dim));
  attributes.Set("concat_dimension", Attribute::I64(source_dim));
  attributes.Set("split_count", Attribute::I64(CountOf(axes)));
  return Build("stablehlo.all_to_all", {x}, std::move(attributes));
}

absl::StatusOr<Value*> ShardBuilder::Permute(Value* x,
                                             const TensorSharding& from,
                                             const TensorSharding& to) {
  ASSIGN_OR_RETURN(const std::vector<SourceTarget> pairs,
                   PermutePairs(from, to, mesh_, mesh_));
  return Sent(x, RowsOf(pairs));
}

absl::StatusOr<Value*> ShardBuilder::Reordered(Value* x,
                                               const TensorSharding& sharding,
                                               const ShardingMesh& from,
                                               const ShardingMesh& to) {
  ASSIGN_OR_RETURN(const std::vector<SourceTarget> pairs,
                   PermutePairs(sharding, sharding, from, to));
  const bool is_same = std::all_of(
      pairs.begin(), pairs.end(),
      [](const SourceTarget& pair) { return pair.source == pair.target; });
  if (is_same) return x;
  return Sent(x, RowsOf(pairs));
}

absl::StatusOr<Value*> ShardBuilder::Exchange(
    Value* x, absl::Span<const AxisRef> axes,
    absl::Span<const int64_t> sources) {
  std::vector<std::vector<int64_t>> rows;
  for (const std::vector<int64_t>& group : DeviceGroups(axes, mesh_)) {
    for (size_t i = 0; i < group.size(); ++i) {
      if (sources[i] != -1) rows.push_back({group[sources[i]], group[i]});
    }
  }
  return Sent(x, rows);
}

absl::StatusOr<Value*> ShardBuilder::Sent(
    Value* x, const std::vector<std::vector<int64_t>>& pairs) {
  AttributeMap attributes;
  attributes.Set("source_target_pairs", Table(pairs));
  attributes.Set("channel_handle", Channel(channels_.Next()));
  return Build("stablehlo.collective_permute", {x}, std::move(attributes));
}

absl::StatusOr<std::unique_ptr<Region>> ShardBuilder::Body(absl::string_view op,
                                                           ElementType type) {
  std::unique_ptr<Region> body = MakeRegionWithin(builder_);
  Value* a = body->AddArgument(Shape(type, {}));
  Value* b = body->AddArgument(Shape(type, {}));
  OpBuilder builder(body.get());
  builder.set_location(builder_.location());
  OpState state;
  state.name = std::string(op);
  state.operands = {a, b};
  ASSIGN_OR_RETURN(Op * combined, builder.Build(std::move(state)));
  builder.Terminate("stablehlo.return", {combined->result()});
  return body;
}

absl::StatusOr<Value*> ShardBuilder::Reduced(absl::string_view collective,
                                             Value* x, AttributeMap attributes,
                                             absl::string_view op) {
  const Shape& shape = x->shape();
  const ElementType type = shape.element_type();
  // Collectives move whole bytes. Sums and products of integers are the same
  // in the low bits.
  const bool is_part = BitWidth(type) < 8 && type != ElementType::kPred;
  OpState state;
  state.name = std::string(collective);
  state.operands = {x};
  if (is_part) {
    const Shape wide(
        IsSignedInteger(type) ? ElementType::kS8 : ElementType::kU8,
        shape.dims());
    ASSIGN_OR_RETURN(state.operands[0],
                     BuildOfType("stablehlo.convert", {x}, wide));
  }
  state.attributes = std::move(attributes);
  ASSIGN_OR_RETURN(std::unique_ptr<Region> body,
                   Body(op, state.operands[0]->shape().element_type()));
  state.regions.push_back(std::move(body));
  ASSIGN_OR_RETURN(Op * reduced, builder_.Build(std::move(state)));
  if (!is_part) return reduced->result();
  return BuildOfType("stablehlo.convert", {reduced->result()},
                     Shape(type, reduced->result()->shape().dims()));
}

absl::StatusOr<Value*> ShardBuilder::AllReduce(Value* x,
                                               absl::Span<const AxisRef> axes,
                                               absl::string_view op) {
  if (CountOf(axes) == 1) return x;
  return Reduced("stablehlo.all_reduce", x, CollectiveAttributes(axes, true),
                 op);
}

absl::StatusOr<Value*> ShardBuilder::ReduceScatter(
    Value* x, int64_t dim, absl::Span<const AxisRef> axes,
    absl::string_view op) {
  AttributeMap attributes = CollectiveAttributes(axes, true);
  attributes.Set("scatter_dimension", Attribute::I64(dim));
  return Reduced("stablehlo.reduce_scatter", x, std::move(attributes), op);
}

}  // namespace lockstep::internal
