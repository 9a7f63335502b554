#include <limits>
#include <utility>

#include "runtime/base/status.h"
#include "runtime/passes/partition/local_indexing.h"

namespace lockstep::internal {
namespace {

// Unsigned ones would turn negative.
absl::StatusOr<Value*> AsS64(Value* indices, ShardBuilder& builder) {
  const Shape& shape = indices->shape();
  if (shape.element_type() == ElementType::kS64) return indices;
  if (shape.element_type() == ElementType::kU64) {
    Literal literal(Shape(ElementType::kU64, {}));
    literal.mutable_data<uint64_t>()[0] =
        static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    ASSIGN_OR_RETURN(Value * largest, builder.Constant(std::move(literal)));
    ASSIGN_OR_RETURN(largest, builder.Broadcast(largest, shape.dims()));
    ASSIGN_OR_RETURN(indices,
                     builder.Build("stablehlo.minimum", {indices, largest}));
  }
  return builder.BuildOfType("stablehlo.convert", {indices},
                             Shape(ElementType::kS64, shape.dims()));
}

bool HasVectors(const IndexedWindows& windows, int64_t rank) {
  return windows.index_vector_dim < rank;
}

absl::StatusOr<Value*> Component(Value* indices, int64_t vector_dim, int64_t k,
                                 ShardBuilder& builder) {
  const Shape& shape = indices->shape();
  if (shape.dim(vector_dim) == 1) return indices;
  const auto rank = static_cast<size_t>(shape.rank());
  std::vector<int64_t> starts(rank, 0);
  std::vector<int64_t> limits(shape.dims().begin(), shape.dims().end());
  starts[vector_dim] = k;
  limits[vector_dim] = k + 1;
  AttributeMap attributes;
  attributes.Set("start_indices", Attribute::I64Array(starts));
  attributes.Set("limit_indices", Attribute::I64Array(limits));
  attributes.Set("strides", Attribute::I64Array(std::vector<int64_t>(rank, 1)));
  return builder.Build("stablehlo.slice", {indices}, std::move(attributes));
}

}  // namespace

absl::StatusOr<std::vector<Value*>> IndexComponents(
    Value* indices, const IndexedWindows& windows, ShardBuilder& builder) {
  ASSIGN_OR_RETURN(indices, AsS64(indices, builder));
  if (!HasVectors(windows, indices->shape().rank())) {
    return std::vector<Value*>{indices};
  }
  const Shape positions(ElementType::kS64,
                        windows.PositionSizes(indices->shape()));
  std::vector<Value*> components;
  const auto count = static_cast<int64_t>(windows.index_map.size());
  for (int64_t k = 0; k < count; ++k) {
    ASSIGN_OR_RETURN(Value * component,
                     Component(indices, windows.index_vector_dim, k, builder));
    ASSIGN_OR_RETURN(component, builder.BuildOfType("stablehlo.reshape",
                                                    {component}, positions));
    components.push_back(component);
  }
  return components;
}

absl::StatusOr<Value*> JoinedIndices(std::vector<Value*> components,
                                     const Shape& indices,
                                     const IndexedWindows& windows,
                                     ShardBuilder& builder) {
  if (!HasVectors(windows, indices.rank())) return components[0];
  Dims dims(indices.dims().begin(), indices.dims().end());
  dims[windows.index_vector_dim] = 1;
  for (Value*& component : components) {
    ASSIGN_OR_RETURN(component,
                     builder.BuildOfType("stablehlo.reshape", {component},
                                         Shape(ElementType::kS64, dims)));
  }
  if (components.size() == 1) return components[0];
  AttributeMap attributes;
  attributes.Set("dimension", Attribute::I64(windows.index_vector_dim));
  return builder.Build("stablehlo.concatenate", std::move(components),
                       std::move(attributes));
}

absl::StatusOr<Value*> ShardStart(const ShardedValue& value, int64_t dim,
                                  ShardBuilder& builder) {
  ASSIGN_OR_RETURN(Value * index,
                   builder.ShardIndex(value.sharding.dims[dim].axes));
  ASSIGN_OR_RETURN(Value * size,
                   builder.IndexConstant(value.local->shape().dim(dim)));
  return builder.Build("stablehlo.multiply", {index, size});
}

}  // namespace lockstep::internal
