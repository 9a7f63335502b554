#include "runtime/backends/cpu/thunks/converted_operand.h"

#include "runtime/base/status.h"
#include "runtime/types/convert.h"

namespace lockstep::internal {

absl::StatusOr<ConvertedOperand> ConvertedOperand::Create(
    const LiteralView& operand, ElementType type) {
  if (operand.shape().element_type() == type) return ConvertedOperand(operand);
  ASSIGN_OR_RETURN(ScratchTensor copy, ScratchTensor::Allocate(Shape(
                                           type, operand.shape().dims())));
  ConvertElements(operand, copy.view());
  return ConvertedOperand(std::move(copy));
}

}  // namespace lockstep::internal
