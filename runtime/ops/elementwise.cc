#include "runtime/ops/elementwise.h"

#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/ops/checks/operand_checks.h"

namespace lockstep::internal {

OpDef::InferFn InferSameType(int operand_count, ElementTypes types) {
  return [=](const Op& op) -> absl::StatusOr<std::vector<Type>> {
    RETURN_IF_ERROR(CheckOperandCount(op, operand_count));
    RETURN_IF_ERROR(CheckElementType(op, 0, types));
    for (int i = 1; i < operand_count; ++i) {
      RETURN_IF_ERROR(CheckSameType(op, 0, i));
    }
    return std::vector<Type>{op.operand(0)->type()};
  };
}

OpDef::InferFn InferRealType(ElementTypes types) {
  return [=](const Op& op) -> absl::StatusOr<std::vector<Type>> {
    RETURN_IF_ERROR(CheckOperandCount(op, 1));
    RETURN_IF_ERROR(CheckElementType(op, 0, types));
    const Shape& shape = op.operand(0)->shape();
    return std::vector<Type>{
        Shape(RealType(shape.element_type()), shape.dims())};
  };
}

OpDef::InferFn InferElementType(ElementTypes types, ElementType element_type) {
  return [=](const Op& op) -> absl::StatusOr<std::vector<Type>> {
    RETURN_IF_ERROR(CheckOperandCount(op, 1));
    RETURN_IF_ERROR(CheckElementType(op, 0, types));
    ASSIGN_OR_RETURN(Shape shape, ResultShape(op, element_type,
                                              op.operand(0)->shape().dims()));
    return std::vector<Type>{std::move(shape)};
  };
}

}  // namespace lockstep::internal
