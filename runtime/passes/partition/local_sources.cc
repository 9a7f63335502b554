#include "runtime/passes/partition/local_sources.h"

#include <utility>
#include <vector>

#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<Value*> SliceWhole(Value* whole, const TensorSharding& sharding,
                                  ShardBuilder& builder) {
  std::vector<std::vector<AxisRef>> axes;
  bool is_whole = true;
  for (const DimSharding& dim : sharding.dims) {
    axes.push_back(dim.axes);
    is_whole &= dim.axes.empty();
  }
  if (is_whole) return whole;
  return builder.Slice(whole, axes);
}

}  // namespace

absl::StatusOr<Value*> LowerConstant(const Op& op,
                                     const TensorSharding& sharding,
                                     ShardBuilder& builder) {
  const auto* value = op.attribute("value")->As<Attribute::Elements>();
  if (value != nullptr && value->is_splat) {
    ASSIGN_OR_RETURN(const Type local,
                     builder.LocalType(op.result()->type(), sharding));
    AttributeMap attributes;
    attributes.Set("value",
                   Attribute::Elements{local.shape(), value->values, true});
    return builder.Build("stablehlo.constant", {}, std::move(attributes));
  }
  AttributeMap attributes;
  attributes.Set("value", *op.attribute("value"));
  ASSIGN_OR_RETURN(Value * whole, builder.Build("stablehlo.constant", {},
                                                std::move(attributes)));
  return SliceWhole(whole, sharding, builder);
}

// Counted in i64 and converted, as whole ones are: floats of few bits would
// round the sum of the start and the place in the shard twice.
absl::StatusOr<Value*> LowerIota(const Op& op, const TensorSharding& sharding,
                                 ShardBuilder& builder) {
  ASSIGN_OR_RETURN(const int64_t dim, op.IntegerAttribute("iota_dimension"));
  ASSIGN_OR_RETURN(const Type local,
                   builder.LocalType(op.result()->type(), sharding));
  AttributeMap attributes;
  attributes.Set("iota_dimension", Attribute::I64(dim));
  const std::vector<AxisRef>& axes = sharding.dims[dim].axes;
  if (axes.empty()) {
    return builder.BuildOfType("stablehlo.iota", {}, local,
                               std::move(attributes));
  }
  const Shape& shape = local.shape();
  const Shape places(ElementType::kS64, shape.dims());
  ASSIGN_OR_RETURN(
      Value * place,
      builder.BuildOfType("stablehlo.iota", {}, places, std::move(attributes)));
  ASSIGN_OR_RETURN(Value * start, builder.ShardIndex(axes));
  ASSIGN_OR_RETURN(Value * size, builder.IndexConstant(shape.dim(dim)));
  ASSIGN_OR_RETURN(start, builder.Build("stablehlo.multiply", {start, size}));
  ASSIGN_OR_RETURN(start, builder.Broadcast(start, shape.dims()));
  ASSIGN_OR_RETURN(place, builder.Build("stablehlo.add", {start, place}));
  if (shape.element_type() == ElementType::kS64) return place;
  return builder.BuildOfType("stablehlo.convert", {place}, local);
}

}  // namespace lockstep::internal
