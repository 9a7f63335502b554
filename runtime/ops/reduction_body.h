#ifndef LOCKSTEP_RUNTIME_OPS_REDUCTION_BODY_H_
#define LOCKSTEP_RUNTIME_OPS_REDUCTION_BODY_H_

#include <vector>

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// The body of reduce, all_reduce and reduce_scatter for `inputs`:
// (tensor<E0>, .., tensor<E0>, ..) -> (tensor<E0>, ..), where each input's
// element type can be promoted to Ei (the same kind of number, at least as
// wide). Returns the Ei.
absl::StatusOr<std::vector<ElementType>> ReductionBodyTypes(
    const Op& op, const Region& body, absl::Span<Value* const> inputs);

// The op of a body that returns op(x, y) of its own two arguments, in this
// order or, for a commutative op, in the other one. Null for other bodies.
const Op* SingleOpBody(const Region& body);

// add, multiply, maximum, minimum, and, or, xor of stablehlo.
bool IsCommutative(absl::string_view op_name);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_REDUCTION_BODY_H_
