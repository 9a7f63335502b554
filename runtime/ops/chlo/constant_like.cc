#include <cstdlib>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/chlo/forms.h"
#include "runtime/ops/op_expansion.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<double> ValueOf(const Op& op) {
  const Attribute* value = op.attribute("value");
  if (value != nullptr) {
    if (const auto* number = value->As<Attribute::Float>()) {
      return number->value;
    }
    const auto* integer = value->As<Attribute::Integer>();
    // Those that a double holds.
    if (integer != nullptr && std::abs(integer->value) <= int64_t{1} << 53) {
      return static_cast<double>(integer->value);
    }
    if (const auto* truth = value->As<Attribute::Bool>()) return truth->value;
  }
  return op.Error("value: expected a number");
}

absl::Status VerifyConstantLike(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  RETURN_IF_ERROR(CheckResultCount(op, 1));
  ASSIGN_OR_RETURN(const Shape result, DeclaredShape(op));
  if (result.dims() != op.operand(0)->shape().dims()) {
    return op.Error(absl::StrCat("result: expected the shape of ",
                                 op.operand(0)->shape().ToString(), ", found ",
                                 result.ToString()));
  }
  return ValueOf(op).status();
}

absl::StatusOr<std::vector<Value*>> ExpandConstantLike(
    const Op& op, ExpansionBuilder& builder) {
  ASSIGN_OR_RETURN(const double value, ValueOf(op));
  return std::vector<Value*>{builder.Splat(op.result()->shape(), value)};
}

// constant_like: a constant in all elements of a tensor of the operand's shape.
//   (I1) operand: a tensor, of which only the shape counts. (I2) value.
REGISTER_EXPANDED_OP(OpDef("chlo.constant_like", OpKind::kConstant)
                         .Assembly(ArrowForm(1))
                         .Verify(VerifyConstantLike),
                     ExpandConstantLike);

}  // namespace
}  // namespace lockstep::internal
