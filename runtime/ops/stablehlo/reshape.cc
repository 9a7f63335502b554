#include <cstring>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {
namespace {

absl::Status VerifyReshape(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  ASSIGN_OR_RETURN(const Shape result, DeclaredShape(op));
  const Shape& operand = op.operand(0)->shape();
  if (operand.element_type() != result.element_type()) {  // (C1)
    return op.Error(absl::StrCat("result: expected elements of ",
                                 operand.ToString(), ", found ",
                                 result.ToString()));
  }
  if (operand.element_count() != result.element_count()) {  // (C2)
    return op.Error(absl::StrCat("result: expected ", operand.element_count(),
                                 " elements as ", operand.ToString(),
                                 ", found ", result.element_count(), " in ",
                                 result.ToString()));
  }
  return absl::OkStatus();
}

absl::Status EvaluateReshape(EvaluationContext&, const Op&,
                             absl::Span<const LiteralView> operands,
                             absl::Span<const MutableLiteralView> results) {
  std::memcpy(results[0].bytes(), operands[0].bytes(),
              results[0].byte_span().size());
  return absl::OkStatus();
}

// reshape: the same elements in row-major order under other dimensions.
//   (I1) operand: any tensor.
REGISTER_OP(OpDef("stablehlo.reshape", OpKind::kDataMovement)
                .Assembly(ClausesForm(1, {}))
                .Verify(VerifyReshape)
                .Evaluate(EvaluateReshape));

}  // namespace
}  // namespace lockstep::internal
