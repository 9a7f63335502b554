#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ops/assembly/dot_assembly.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/geometry/dot_dimensions.h"
#include "runtime/ops/op_expansion.h"
#include "runtime/ops/sharding/dot_sharding.h"

namespace lockstep::internal {
namespace {

// (C1) What follows for the result, dot_general checks.
absl::Status VerifyDot(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 2));
  RETURN_IF_ERROR(CheckResultCount(op, 1));
  for (int i = 0; i < 2; ++i) {
    const int64_t rank = op.operand(i)->shape().rank();
    if (rank == 1 || rank == 2) continue;
    return op.Error(absl::StrCat("operand ", i,
                                 ": expected a vector or a matrix, found ",
                                 op.operand(i)->shape().ToString()));
  }
  return DeclaredShape(op).status();
}

DotDimensions DimensionsOf(const Op& op) {
  DotDimensions dims;
  dims.lhs_contracting = {op.operand(0)->shape().rank() - 1};
  dims.rhs_contracting = {0};
  return dims;
}

absl::StatusOr<std::vector<Value*>> ExpandDot(const Op& op,
                                              ExpansionBuilder& builder) {
  AttributeMap attributes = op.attributes();
  attributes.Set("dot_dimension_numbers", ToAttribute(DimensionsOf(op)));
  return std::vector<Value*>{builder.Create("stablehlo.dot_general",
                                            op.operands(), op.result()->type(),
                                            std::move(attributes))};
}

absl::StatusOr<OpShardingRule> DotRule(const Op& op,
                                       const ShardingRuleOptions&) {
  return DotSharding(op, DimensionsOf(op));
}

// dot: the product of vectors or matrices, over the last dimension of lhs and
// the first of rhs. Becomes dot_general.
//   (I1) lhs. (I2) rhs. (I3) precision_config. (C1) both are of rank 1 or 2.
REGISTER_EXPANDED_OP(OpDef("stablehlo.dot", OpKind::kDot)
                         .Assembly(DotForm())
                         .Verify(VerifyDot)
                         .Sharding(DotRule),
                     ExpandDot);

}  // namespace
}  // namespace lockstep::internal
