#ifndef LOCKSTEP_CLIENT_EAGER_ELEMENTWISE_CALL_H_
#define LOCKSTEP_CLIENT_EAGER_ELEMENTWISE_CALL_H_

#include <vector>

#include "client/array.h"
#include "client/eager/array_operand.h"
#include "client/eager/elementwise_program.h"

namespace lockstep::internal {

// The operation on arrays; see array_operations.h. At least one operand is an
// array. Thread-safe.
Array CallElementwise(const ElementwiseOperation& operation,
                      const std::vector<ArrayOperand>& operands);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_EAGER_ELEMENTWISE_CALL_H_
