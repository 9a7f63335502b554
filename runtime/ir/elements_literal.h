#ifndef LOCKSTEP_RUNTIME_IR_ELEMENTS_LITERAL_H_
#define LOCKSTEP_RUNTIME_IR_ELEMENTS_LITERAL_H_

#include "absl/status/statusor.h"
#include "runtime/ir/attribute.h"

namespace lockstep::internal {

// The full tensor, for shapes from users: a splat of few bytes may stand for
// more than there is. RESOURCE_EXHAUSTED with the bytes needed when there is no
// memory.
absl::StatusOr<Literal> AllocateLiteral(const Attribute::Elements& elements);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_ELEMENTS_LITERAL_H_
