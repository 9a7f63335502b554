#ifndef LOCKSTEP_RUNTIME_BACKENDS_REFERENCE_EVALUABLE_H_
#define LOCKSTEP_RUNTIME_BACKENDS_REFERENCE_EVALUABLE_H_

#include "absl/status/status.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// Whether the reference evaluation of `op` and of all ops in its regions can
// run inside one thunk. UNIMPLEMENTED, with the location of the op that cannot.
absl::Status CheckEvaluable(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_REFERENCE_EVALUABLE_H_
