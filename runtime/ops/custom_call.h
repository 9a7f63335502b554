#ifndef LOCKSTEP_RUNTIME_OPS_CUSTOM_CALL_H_
#define LOCKSTEP_RUNTIME_OPS_CUSTOM_CALL_H_

#include "absl/status/status.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// Whether the reference evaluation can run a custom_call: knows its target
// (runtime/ops/custom_calls), and that accepts the call; so that compilers can
// refuse it before it runs. UNIMPLEMENTED names the target, with the op's
// location; other errors are the target's. Ops of other names have no target:
// OK.
absl::Status CheckCustomCallTarget(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_CUSTOM_CALL_H_
