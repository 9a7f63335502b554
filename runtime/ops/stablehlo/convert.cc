#include "runtime/types/convert.h"

#include "absl/strings/str_cat.h"
#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

absl::Status VerifyConvert(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  ASSIGN_OR_RETURN(const Shape result, DeclaredShape(op));
  const Shape& operand = op.operand(0)->shape();
  if (result.dims() == operand.dims()) return absl::OkStatus();  // (C1)
  return op.Error(absl::StrCat("result: expected the shape of ",
                               operand.ToString(), ", found ",
                               result.ToString()));
}

absl::Status EvaluateConvert(EvaluationContext&, const Op&,
                             absl::Span<const LiteralView> operands,
                             absl::Span<const MutableLiteralView> results) {
  ConvertElements(operands[0], results[0]);
  return absl::OkStatus();
}

// convert: element-wise conversion to the result's element type.
//   (I1) operand: any tensor.
//   Floats to integers: toward zero, saturating, NaN gives 0.
REGISTER_OP(OpDef("stablehlo.convert", OpKind::kElementwise)
                .Assembly(OperandsForm(1))
                .Verify(VerifyConvert)
                .Evaluate(EvaluateConvert)
                .Sharding(PointwiseSharding())
                .Emit([](ScalarBuilder& b, const Op& op,
                         absl::Span<const int> x) {
                  return b.Convert(op.result()->shape().element_type(), x[0]);
                }));

}  // namespace
}  // namespace lockstep::internal
