#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/checks/collective_checks.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/collectives/collective.h"
#include "runtime/ops/reduction_body.h"
#include "runtime/ops/sharding/resized_dim_sharding.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<Type> InferOne(const Op& op, const CollectiveSpec& spec,
                              int64_t group_size, Value* operand) {
  const Shape& shape = operand->shape();
  RETURN_IF_ERROR(
      CheckDim(op, "scatter_dimension", spec.dim, shape.rank()));  // (C2)
  if (shape.dim(spec.dim) % group_size != 0) {                     // (C1)
    return op.Error(absl::StrCat("scatter_dimension: expected a size of dim ",
                                 spec.dim, " that ", group_size,
                                 " (the group's size) divides, found ",
                                 shape.dim(spec.dim)));
  }
  ASSIGN_OR_RETURN(
      const std::vector<ElementType> element_types,
      ReductionBodyTypes(op, *spec.reduction, {&operand, 1}));  // (C7)
  Dims dims(shape.dims().begin(), shape.dims().end());
  dims[spec.dim] /= group_size;
  ASSIGN_OR_RETURN(Shape result, ResultShape(op, element_types[0], dims));
  return Type(std::move(result));  // (C8), (C9)
}

absl::StatusOr<std::vector<Type>> InferReduceScatter(const Op& op) {
  ASSIGN_OR_RETURN(const CollectiveSpec spec, CheckedCollectiveSpec(op));
  ASSIGN_OR_RETURN(const int64_t group_size, GroupSize(op, spec));
  std::vector<Type> types;
  for (Value* operand : op.operands()) {
    ASSIGN_OR_RETURN(Type type, InferOne(op, spec, group_size, operand));
    types.push_back(std::move(type));
  }
  return types;
}

absl::StatusOr<std::optional<OpShardingRule>> ReduceScatterRule(
    const Op& op, const ShardingRuleOptions&) {
  ASSIGN_OR_RETURN(const CollectiveSpec spec, ParseCollectiveSpec(op));
  return ResizedDimSharding(op, spec.dim);
}

// reduce_scatter: the operand combined over the members of the group; the
// member at position k keeps part k along scatter_dimension.
//   (I1) operand. (I2) scatter_dimension. (I3) replica_groups (C3-C5).
//   (I4) channel_id. (I5) use_global_device_ids (C6). (I6) computation.
REGISTER_OP(OpDef("stablehlo.reduce_scatter", OpKind::kCollective)
                .Infer(InferReduceScatter)
                .Evaluate(EvaluateCollective)
                .Sharding(ReduceScatterRule));

}  // namespace
}  // namespace lockstep::internal
