#ifndef LOCKSTEP_RUNTIME_OPS_EVALUATION_TOP_ELEMENTS_H_
#define LOCKSTEP_RUNTIME_OPS_EVALUATION_TOP_ELEMENTS_H_

#include "runtime/types/literal.h"

namespace lockstep::internal {

enum class TopOrder { kLargest, kSmallest };

// The first elements along the last dim in the order of their values, floats in
// IEEE 754's totalOrder, and their indices (s32); of equal ones those that come
// first. As many as `values` has; `operand` is not complex.
void SelectTop(const LiteralView& operand, TopOrder order,
               const MutableLiteralView& values,
               const MutableLiteralView& indices);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_EVALUATION_TOP_ELEMENTS_H_
