#ifndef LOCKSTEP_RUNTIME_OPS_TUPLE_ELEMENT_H_
#define LOCKSTEP_RUNTIME_OPS_TUPLE_ELEMENT_H_

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// The value that a get_tuple_element stands for: an operand of the
// stablehlo.tuple behind it. Tuples have no memory; who runs ops binds results
// to these values. UNIMPLEMENTED for tuples that come from elsewhere
// (arguments, calls, control flow).
absl::StatusOr<const Value*> TupleElement(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_TUPLE_ELEMENT_H_
