#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/op_expansion.h"

namespace lockstep::internal {
namespace {

// The operand that says the result's shape once more, while the program runs:
// a vector of an integer per dimension. Nothing reads it.
absl::Status CheckShapeOperand(const Op& op, int operand) {
  ASSIGN_OR_RETURN(const Shape result, DeclaredShape(op));
  const Shape& shape = op.operand(operand)->shape();
  if (IsInteger(shape.element_type()) && shape.rank() == 1 &&
      shape.dim(0) == result.rank()) {
    return absl::OkStatus();
  }
  return op.Error(absl::StrCat("operand ", operand, ": expected a vector of ",
                               result.rank(), " integers, found ",
                               shape.ToString()));
}

// The last operand is the shape; what else must hold, the static op checks.
OpDef::VerifyFn VerifyWithShape(int operand_count) {
  return [operand_count](const Op& op) -> absl::Status {
    RETURN_IF_ERROR(CheckOperandCount(op, operand_count));
    RETURN_IF_ERROR(CheckResultCount(op, 1));
    return CheckShapeOperand(op, operand_count - 1);
  };
}

// The op of the same name without "dynamic_".
absl::StatusOr<std::vector<Value*>> ExpandStatically(
    const Op& op, ExpansionBuilder& builder) {
  constexpr absl::string_view kPrefix = "stablehlo.dynamic_";
  std::vector<Value*> operands = op.operands();
  operands.pop_back();
  AttributeMap attributes = op.attributes();
  attributes.Remove("known_expanding_dimensions");
  attributes.Remove("known_nonexpanding_dimensions");
  return std::vector<Value*>{builder.Create(
      absl::StrCat("stablehlo.", op.name().substr(kPrefix.size())),
      std::move(operands), op.result()->type(), std::move(attributes))};
}

// dynamic_iota, dynamic_reshape, dynamic_broadcast_in_dim with a result of
// static shape: iota, reshape, broadcast_in_dim.
//   The last operand: output_shape. The others are those of the static op.
REGISTER_EXPANDED_OP(OpDef("stablehlo.dynamic_iota", OpKind::kDataMovement)
                         .Assembly(ClausesForm(1, {{"dim", "iota_dimension",
                                                    IntegersClause::kInteger}}))
                         .Verify(VerifyWithShape(1)),
                     ExpandStatically);
REGISTER_EXPANDED_OP(OpDef("stablehlo.dynamic_reshape", OpKind::kDataMovement)
                         .Assembly(OperandsForm(2))
                         .Verify(VerifyWithShape(2)),
                     ExpandStatically);
REGISTER_EXPANDED_OP(
    OpDef("stablehlo.dynamic_broadcast_in_dim", OpKind::kDataMovement)
        .Assembly(ClausesForm(2, {{"dims", "broadcast_dimensions"}}))
        .Verify(VerifyWithShape(2)),
    ExpandStatically);

absl::StatusOr<std::vector<Type>> InferDimensionSize(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  ASSIGN_OR_RETURN(const int64_t dim, op.IntegerAttribute("dimension"));
  RETURN_IF_ERROR(
      CheckDim(op, "dimension", dim, op.operand(0)->shape().rank()));
  return std::vector<Type>{Shape(ElementType::kS32, {})};
}

absl::StatusOr<std::vector<Value*>> ExpandDimensionSize(
    const Op& op, ExpansionBuilder& builder) {
  ASSIGN_OR_RETURN(const int64_t dim, op.IntegerAttribute("dimension"));
  return std::vector<Value*>{
      builder.Splat(Shape(ElementType::kS32, {}),
                    static_cast<double>(op.operand(0)->shape().dim(dim)))};
}

// get_dimension_size: the size of a dimension, a constant.
//   (I1) operand. (I2) dimension (C1).
REGISTER_EXPANDED_OP(OpDef("stablehlo.get_dimension_size", OpKind::kConstant)
                         .Assembly(ClausesForm(1, {{"dim", "dimension",
                                                    IntegersClause::kInteger}}))
                         .Infer(InferDimensionSize),
                     ExpandDimensionSize);

}  // namespace
}  // namespace lockstep::internal
