#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

// (C5) Each dimension is 1 or fits the result's.
absl::Status CheckSizes(const Op& op, const Shape& result,
                        const std::vector<int64_t>& dims) {
  const Shape& operand = op.operand(0)->shape();
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t found = operand.dim(i);
    if (found == 1 || found == result.dim(dims[i])) continue;
    return op.Error(absl::StrCat("operand dim ", i, ": expected 1 or ",
                                 result.dim(dims[i]), " (result dim ", dims[i],
                                 "), found ", found));
  }
  return absl::OkStatus();
}

absl::Status VerifyBroadcast(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  ASSIGN_OR_RETURN(const Shape result, DeclaredShape(op));
  ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                   op.IntegersAttribute("broadcast_dimensions"));
  const Shape& operand = op.operand(0)->shape();
  if (operand.element_type() != result.element_type()) {  // (C1)
    return op.Error(absl::StrCat("result: expected elements of ",
                                 operand.ToString(), ", found ",
                                 result.ToString()));
  }
  RETURN_IF_ERROR(CheckOnePerDim(op, "broadcast_dimensions", dims,
                                 operand.rank()));  // (C2)
  RETURN_IF_ERROR(CheckDistinctDims(op, "broadcast_dimensions", dims,
                                    result.rank()));  // (C3), (C4)
  return CheckSizes(op, result, dims);
}

absl::Status EvaluateBroadcast(EvaluationContext&, const Op& op,
                               absl::Span<const LiteralView> operands,
                               absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                   op.IntegersAttribute("broadcast_dimensions"));
  const Shape& operand = operands[0].shape();
  const Shape& result = results[0].shape();
  const Dims operand_strides = operand.Strides();
  Dims strides(result.rank(), 0);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (operand.dim(i) != 1) strides[dims[i]] = operand_strides[i];
  }
  StridedCopy(ByteSize(result.element_type()), result.dims(),
              {operands[0].bytes(), strides},
              {results[0].bytes(), result.Strides()});
  return absl::OkStatus();
}

// An operand's dim that repeats is not sharded as the result's.
absl::StatusOr<OpShardingRule> BroadcastRule(const Op& op,
                                             const ShardingRuleOptions&) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                   op.IntegersAttribute("broadcast_dimensions"));
  const Shape& operand = op.operand(0)->shape();
  const Shape& result = op.result()->shape();
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < result.rank(); ++dim) {
    const auto mapped = absl::c_find(dims, dim);
    const int64_t operand_dim = mapped - dims.begin();
    const bool is_mapped = mapped != dims.end();
    const bool repeats =
        is_mapped && operand.dim(operand_dim) != result.dim(dim);
    if (repeats) rule.Add(1).Operand(0, operand_dim);
    auto factor = rule.Add(result.dim(dim)).Result(0, dim);
    if (is_mapped && !repeats) factor.Operand(0, operand_dim);
  }
  return rule.Build();
}

// broadcast_in_dim: operand dim d becomes result dim broadcast_dimensions[d];
// the other dimensions, and those of size 1, repeat.
//   (I1) operand. (I2) broadcast_dimensions.
REGISTER_OP(OpDef("stablehlo.broadcast_in_dim", OpKind::kDataMovement)
                .Assembly(ClausesForm(1, {{"dims", "broadcast_dimensions"}}))
                .Verify(VerifyBroadcast)
                .Evaluate(EvaluateBroadcast)
                .Sharding(BroadcastRule));

}  // namespace
}  // namespace lockstep::internal
