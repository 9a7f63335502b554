#include <vector>

#include "runtime/ir/op_def.h"
#include "runtime/ops/branches.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferIf(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  RETURN_IF_ERROR(CheckElementType(op, 0, kPredTypes));
  RETURN_IF_ERROR(CheckRank(op, 0, 0));
  RETURN_IF_ERROR(CheckRegionCount(op, 2));
  return InferBranches(op);  // (C1-C3)
}

absl::Status EvaluateIf(EvaluationContext& context, const Op& op,
                        absl::Span<const LiteralView> operands,
                        absl::Span<const MutableLiteralView> results) {
  const int branch = operands[0].data<bool>()[0] ? 0 : 1;
  return context.RunRegion(op.region(branch), {}, results);
}

// if: runs true_branch when pred holds, else false_branch.
//   (I1) pred: an i1 scalar. (I2) true_branch. (I3) false_branch.
REGISTER_OP(OpDef("stablehlo.if", OpKind::kControlFlow)
                .Infer(InferIf)
                .Evaluate(EvaluateIf));

}  // namespace
}  // namespace lockstep::internal
