#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_INLINE_NAMED_COMPUTATIONS_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_INLINE_NAMED_COMPUTATIONS_H_

#include "absl/status/status.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// Puts the bodies of sdy.named_computation in the place of the ops, with
// constraints where they say shardings of what goes in and comes out.
absl::Status InlineNamedComputations(Region& region);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_INLINE_NAMED_COMPUTATIONS_H_
