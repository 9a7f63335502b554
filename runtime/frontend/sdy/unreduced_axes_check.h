#ifndef LOCKSTEP_RUNTIME_FRONTEND_SDY_UNREDUCED_AXES_CHECK_H_
#define LOCKSTEP_RUNTIME_FRONTEND_SDY_UNREDUCED_AXES_CHECK_H_

#include "absl/status/status.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// What partial results may become. Unreduced axes of an operand that a result
// also has keep their reduction; those that only the result has are of sums (of
// a reduce: of what its body computes); those that it lacks are reduced there.
// Calls pass the axes on as they are.
//
// Of the op in a verified module, between values of which the program says a
// sharding on one mesh; of others propagation says it. INVALID_ARGUMENT with
// the place of the op.
absl::Status CheckUnreducedAxes(const Op& op, const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_SDY_UNREDUCED_AXES_CHECK_H_
