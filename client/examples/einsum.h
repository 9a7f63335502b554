#ifndef LOCKSTEP_CLIENT_EXAMPLES_EINSUM_H_
#define LOCKSTEP_CLIENT_EXAMPLES_EINSUM_H_

#include "absl/strings/string_view.h"
#include "client/lockstep.h"

namespace lockstep::examples {

// NumPy's einsum of two tensors: a letter for each dimension, and products are
// summed over the letters that the result does not have, which both operands
// must have. No letter stands twice for one tensor.
//
//   Einsum("btd,dhk->bthk", x, weights)
Tensor Einsum(absl::string_view formula, const Operand& a, const Operand& b);

}  // namespace lockstep::examples

#endif  // LOCKSTEP_CLIENT_EXAMPLES_EINSUM_H_
