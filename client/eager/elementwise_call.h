#ifndef LOCKSTEP_CLIENT_EAGER_ELEMENTWISE_CALL_H_
#define LOCKSTEP_CLIENT_EAGER_ELEMENTWISE_CALL_H_

#include <vector>

#include "client/arrays/array.h"
#include "client/eager/array_operand.h"
#include "client/eager/operation_program.h"

namespace lockstep::internal {

// An operation on arrays of which each element of the result depends on the
// elements of its operands in the same place alone; see array_operations.h. At
// least one operand is an array. Thread-safe.
Array CallElementwise(const EagerOperation& operation,
                      const std::vector<ArrayOperand>& operands);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_EAGER_ELEMENTWISE_CALL_H_
