#include <vector>

#include "runtime/ir/op_def.h"
#include "runtime/ops/branches.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferCase(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  RETURN_IF_ERROR(CheckElementType(op, 0, OneType(ElementType::kS32)));
  RETURN_IF_ERROR(CheckRank(op, 0, 0));
  if (op.region_count() == 0) {  // (C1)
    return op.Error("expected at least 1 branch, found 0");
  }
  return InferBranches(op);  // (C2-C4)
}

absl::Status EvaluateCase(EvaluationContext& context, const Op& op,
                          absl::Span<const LiteralView> operands,
                          absl::Span<const MutableLiteralView> results) {
  int32_t index = operands[0].data<int32_t>()[0];
  if (index < 0 || index >= op.region_count()) index = op.region_count() - 1;
  return context.RunRegion(op.region(index), {}, results);
}

// case: runs branch `index`; the last one when there is no such branch.
//   (I1) index: an i32 scalar. (I2) branches.
REGISTER_OP(OpDef("stablehlo.case", OpKind::kControlFlow)
                .Infer(InferCase)
                .Evaluate(EvaluateCase));

}  // namespace
}  // namespace lockstep::internal
