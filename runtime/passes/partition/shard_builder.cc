#include "runtime/passes/partition/shard_builder.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

Literal IndexLiteral(int64_t value) {
  Literal literal(Shape(ElementType::kS64, {}));
  literal.mutable_data<int64_t>()[0] = value;
  return literal;
}

Dims DimsOf(const Value* x) {
  return Dims(x->shape().dims().begin(), x->shape().dims().end());
}

std::vector<int64_t> ListOf(const Dims& dims) {
  return {dims.begin(), dims.end()};
}

}  // namespace

absl::StatusOr<Type> ShardBuilder::LocalType(
    const Type& type, const TensorSharding& sharding) const {
  if (!type.is_tensor()) return type;
  ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                   LocalShape(sharding, mesh_, type.shape().dims()));
  return Type(Shape(type.shape().element_type(), dims));
}

absl::StatusOr<Value*> ShardBuilder::Build(absl::string_view name,
                                           std::vector<Value*> operands,
                                           AttributeMap attributes) {
  OpState state;
  state.name = std::string(name);
  state.operands = std::move(operands);
  state.attributes = std::move(attributes);
  ASSIGN_OR_RETURN(Op * op, builder_.Build(std::move(state)));
  return op->result();
}

absl::StatusOr<Value*> ShardBuilder::BuildOfType(absl::string_view name,
                                                 std::vector<Value*> operands,
                                                 Type type,
                                                 AttributeMap attributes) {
  OpState state;
  state.name = std::string(name);
  state.operands = std::move(operands);
  state.attributes = std::move(attributes);
  state.result_types = {std::move(type)};
  ASSIGN_OR_RETURN(Op * op, builder_.Build(std::move(state)));
  return op->result();
}

absl::StatusOr<Value*> ShardBuilder::Constant(Literal literal) {
  AttributeMap attributes;
  attributes.Set("value", Attribute::FromLiteral(std::move(literal)));
  return Build("stablehlo.constant", {}, std::move(attributes));
}

absl::StatusOr<Value*> ShardBuilder::IndexConstant(int64_t value) {
  return Constant(IndexLiteral(value));
}

absl::StatusOr<Value*> ShardBuilder::Broadcast(Value* scalar,
                                               absl::Span<const int64_t> dims) {
  AttributeMap attributes;
  attributes.Set("broadcast_dimensions", Attribute::I64Array({}));
  return BuildOfType("stablehlo.broadcast_in_dim", {scalar},
                     Shape(scalar->shape().element_type(), dims),
                     std::move(attributes));
}

int64_t ShardBuilder::CountOf(absl::Span<const AxisRef> axes) const {
  int64_t count = 1;
  for (const AxisRef& axis : axes) count *= axis.Size(mesh_.abstract());
  return count;
}

// The place of this device in row-major order over the axes of the mesh.
absl::StatusOr<Value*> ShardBuilder::LogicalId() {
  ASSIGN_OR_RETURN(Value * id, Build("stablehlo.partition_id", {}));
  ASSIGN_OR_RETURN(
      id, BuildOfType("stablehlo.convert", {id}, Shape(ElementType::kS64, {})));
  if (mesh_.device_ids().empty()) return id;
  const int64_t count = mesh_.device_count();
  std::vector<int64_t> places(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) places[mesh_.DeviceAt(i)] = i;
  return Lookup(places, id);
}

absl::StatusOr<Value*> ShardBuilder::Lookup(absl::Span<const int64_t> values,
                                            Value* index) {
  const auto count = static_cast<int64_t>(values.size());
  Literal literal(Shape(ElementType::kS64, {count}));
  std::copy(values.begin(), values.end(),
            literal.mutable_data<int64_t>().begin());
  ASSIGN_OR_RETURN(Value * table, Constant(std::move(literal)));
  AttributeMap attributes;
  attributes.Set("slice_sizes", Attribute::I64Array({1}));
  ASSIGN_OR_RETURN(Value * value, Build("stablehlo.dynamic_slice",
                                        {table, index}, std::move(attributes)));
  return BuildOfType("stablehlo.reshape", {value},
                     Shape(ElementType::kS64, {}));
}

absl::StatusOr<Value*> ShardBuilder::ShardIndex(
    absl::Span<const AxisRef> axes) {
  if (axes.empty()) return IndexConstant(0);
  const AbstractMesh& mesh = mesh_.abstract();
  ASSIGN_OR_RETURN(Value * id, LogicalId());
  Value* index = nullptr;
  for (const AxisRef& axis : axes) {
    const int64_t place = *mesh.FindAxis(axis.name());
    int64_t stride = mesh.axes()[place].size / axis.NextPreSize(mesh);
    for (int64_t i = place + 1; i < mesh.rank(); ++i) {
      stride *= mesh.axes()[i].size;
    }
    Value* part = id;
    if (stride > 1) {
      ASSIGN_OR_RETURN(Value * divisor, IndexConstant(stride));
      ASSIGN_OR_RETURN(part, Build("stablehlo.divide", {part, divisor}));
    }
    ASSIGN_OR_RETURN(Value * size, IndexConstant(axis.Size(mesh)));
    ASSIGN_OR_RETURN(part, Build("stablehlo.remainder", {part, size}));
    if (index != nullptr) {
      ASSIGN_OR_RETURN(index, Build("stablehlo.multiply", {index, size}));
      ASSIGN_OR_RETURN(part, Build("stablehlo.add", {index, part}));
    }
    index = part;
  }
  return index;
}

absl::StatusOr<Value*> ShardBuilder::Padded(Value* x, int64_t dim,
                                            int64_t shards) {
  const int64_t size = x->shape().dim(dim);
  const int64_t padded = (size + shards - 1) / shards * shards;
  return Lengthened(x, dim, padded);
}

absl::StatusOr<Value*> ShardBuilder::Lengthened(Value* x, int64_t dim,
                                                int64_t size) {
  if (x->shape().dim(dim) >= size) return x;
  const size_t rank = static_cast<size_t>(x->shape().rank());
  std::vector<int64_t> zeros(rank, 0), high(rank, 0);
  high[dim] = size - x->shape().dim(dim);
  AttributeMap attributes;
  attributes.Set("edge_padding_low", Attribute::I64Array(zeros));
  attributes.Set("edge_padding_high", Attribute::I64Array(high));
  attributes.Set("interior_padding", Attribute::I64Array(zeros));
  ASSIGN_OR_RETURN(Value * zero,
                   Constant(Literal(Shape(x->shape().element_type(), {}))));
  return Build("stablehlo.pad", {x, zero}, std::move(attributes));
}

absl::StatusOr<Value*> ShardBuilder::Slice(
    Value* x, absl::Span<const std::vector<AxisRef>> dim_axes) {
  for (size_t dim = 0; dim < dim_axes.size(); ++dim) {
    ASSIGN_OR_RETURN(
        x, Padded(x, static_cast<int64_t>(dim), CountOf(dim_axes[dim])));
  }
  Dims sizes = DimsOf(x);
  for (size_t dim = 0; dim < dim_axes.size(); ++dim) {
    sizes[dim] /= CountOf(dim_axes[dim]);
  }
  ASSIGN_OR_RETURN(std::vector<Value*> operands, Starts(dim_axes, sizes));
  operands.insert(operands.begin(), x);
  AttributeMap attributes;
  attributes.Set("slice_sizes", Attribute::I64Array(ListOf(sizes)));
  return Build("stablehlo.dynamic_slice", std::move(operands),
               std::move(attributes));
}

absl::StatusOr<std::vector<Value*>> ShardBuilder::Starts(
    absl::Span<const std::vector<AxisRef>> dim_axes,
    absl::Span<const int64_t> sizes) {
  std::vector<Value*> starts;
  for (size_t dim = 0; dim < dim_axes.size(); ++dim) {
    ASSIGN_OR_RETURN(Value * start, ShardIndex(dim_axes[dim]));
    if (!dim_axes[dim].empty()) {
      ASSIGN_OR_RETURN(Value * size, IndexConstant(sizes[dim]));
      ASSIGN_OR_RETURN(start, Build("stablehlo.multiply", {start, size}));
    }
    starts.push_back(start);
  }
  return starts;
}

absl::StatusOr<Value*> ShardBuilder::Unsliced(
    Value* x, absl::Span<const std::vector<AxisRef>> dim_axes, Value* scalar) {
  const Dims part = DimsOf(x);
  Dims sizes = part;
  for (size_t dim = 0; dim < dim_axes.size(); ++dim) {
    sizes[dim] *= CountOf(dim_axes[dim]);
  }
  ASSIGN_OR_RETURN(Value * filling, Broadcast(scalar, sizes));
  ASSIGN_OR_RETURN(std::vector<Value*> operands, Starts(dim_axes, part));
  operands.insert(operands.begin(), {filling, x});
  return Build("stablehlo.dynamic_update_slice", std::move(operands));
}

absl::StatusOr<Value*> ShardBuilder::OnFirst(Value* x,
                                             absl::Span<const AxisRef> axes,
                                             Value* scalar) {
  ASSIGN_OR_RETURN(Value * index, ShardIndex(axes));
  ASSIGN_OR_RETURN(Value * zero, IndexConstant(0));
  AttributeMap compare;
  compare.Set("comparison_direction",
              Attribute::Enum{"comparison_direction", "EQ"});
  ASSIGN_OR_RETURN(Value * is_first, Build("stablehlo.compare", {index, zero},
                                           std::move(compare)));
  ASSIGN_OR_RETURN(Value * filling, Broadcast(scalar, DimsOf(x)));
  return Build("stablehlo.select", {is_first, x, filling});
}

absl::StatusOr<Value*> ShardBuilder::Part(Value* x, int64_t dim, int64_t start,
                                          int64_t length) {
  Dims limits = DimsOf(x);
  if (limits[dim] == length) return x;
  std::vector<int64_t> starts(limits.size(), 0);
  starts[dim] = start;
  limits[dim] = start + length;
  AttributeMap attributes;
  attributes.Set("start_indices", Attribute::I64Array(starts));
  attributes.Set("limit_indices", Attribute::I64Array(ListOf(limits)));
  attributes.Set("strides",
                 Attribute::I64Array(std::vector<int64_t>(limits.size(), 1)));
  return Build("stablehlo.slice", {x}, std::move(attributes));
}

absl::StatusOr<Value*> ShardBuilder::Shortened(Value* x, int64_t dim,
                                               int64_t size) {
  return Part(x, dim, 0, size);
}

absl::StatusOr<Value*> ShardBuilder::IsBefore(absl::Span<const int64_t> sizes,
                                              int64_t dim,
                                              absl::Span<const AxisRef> axes,
                                              int64_t end) {
  AttributeMap iota;
  iota.Set("iota_dimension", Attribute::I64(dim));
  ASSIGN_OR_RETURN(Value * place, BuildOfType("stablehlo.iota", {},
                                              Shape(ElementType::kS64, sizes),
                                              std::move(iota)));
  // place < end - index * local
  ASSIGN_OR_RETURN(Value * index, ShardIndex(axes));
  ASSIGN_OR_RETURN(Value * length, IndexConstant(sizes[dim]));
  ASSIGN_OR_RETURN(Value * start, Build("stablehlo.multiply", {index, length}));
  ASSIGN_OR_RETURN(Value * limit, IndexConstant(end));
  ASSIGN_OR_RETURN(Value * left, Build("stablehlo.subtract", {limit, start}));
  ASSIGN_OR_RETURN(left, Broadcast(left, sizes));
  AttributeMap compare;
  compare.Set("comparison_direction",
              Attribute::Enum{"comparison_direction", "LT"});
  return Build("stablehlo.compare", {place, left}, std::move(compare));
}

absl::StatusOr<Value*> ShardBuilder::Spliced(Value* first, Value* second,
                                             int64_t dim,
                                             absl::Span<const AxisRef> axes,
                                             int64_t end) {
  ASSIGN_OR_RETURN(Value * is_first, IsBefore(DimsOf(first), dim, axes, end));
  return Build("stablehlo.select", {is_first, first, second});
}

absl::StatusOr<Value*> ShardBuilder::Masked(Value* x, int64_t dim, int64_t size,
                                            absl::Span<const AxisRef> axes,
                                            Value* scalar) {
  const Dims dims = DimsOf(x);
  if (dims[dim] * CountOf(axes) == size) return x;
  ASSIGN_OR_RETURN(Value * is_inside, IsBefore(dims, dim, axes, size));
  ASSIGN_OR_RETURN(Value * filling, Broadcast(scalar, dims));
  return Build("stablehlo.select", {is_inside, x, filling});
}

}  // namespace lockstep::internal
