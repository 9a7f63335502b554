#include <vector>

#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferTranspose(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  const Shape& operand = op.operand(0)->shape();
  ASSIGN_OR_RETURN(const std::vector<int64_t> permutation,
                   op.IntegersAttribute("permutation"));
  RETURN_IF_ERROR(
      CheckOnePerDim(op, "permutation", permutation, operand.rank()));
  RETURN_IF_ERROR(CheckDistinctDims(op, "permutation", permutation,
                                    operand.rank()));  // (C2)
  Dims dims;
  for (int64_t dim : permutation) dims.push_back(operand.dim(dim));
  return std::vector<Type>{Shape(operand.element_type(), dims)};  // (C3)
}

absl::Status EvaluateTranspose(EvaluationContext&, const Op& op,
                               absl::Span<const LiteralView> operands,
                               absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> permutation,
                   op.IntegersAttribute("permutation"));
  const Shape& result = results[0].shape();
  const Dims operand_strides = operands[0].shape().Strides();
  Dims strides;
  for (int64_t dim : permutation) strides.push_back(operand_strides[dim]);
  StridedCopy(ByteSize(result.element_type()), result.dims(),
              {operands[0].bytes(), strides},
              {results[0].bytes(), result.Strides()});
  return absl::OkStatus();
}

absl::StatusOr<OpShardingRule> TransposeRule(const Op& op,
                                             const ShardingRuleOptions&) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> permutation,
                   op.IntegersAttribute("permutation"));
  const Shape& result = op.result()->shape();
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < result.rank(); ++dim) {
    rule.Add(result.dim(dim)).Operand(0, permutation[dim]).Result(0, dim);
  }
  return rule.Build();
}

// transpose: result dim i is operand dim permutation[i].
//   (I1) operand. (I2) permutation: of its dimensions.
REGISTER_OP(OpDef("stablehlo.transpose", OpKind::kDataMovement)
                .Assembly(ClausesForm(1, {{"dims", "permutation"}}))
                .Infer(InferTranspose)
                .Evaluate(EvaluateTranspose)
                .Sharding(TransposeRule));

}  // namespace
}  // namespace lockstep::internal
