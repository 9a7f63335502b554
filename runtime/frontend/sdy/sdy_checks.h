#ifndef LOCKSTEP_RUNTIME_FRONTEND_SDY_SDY_CHECKS_H_
#define LOCKSTEP_RUNTIME_FRONTEND_SDY_SDY_CHECKS_H_

#include "absl/status/status.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// What Shardy asks of a program beside what holds of any module, which passes
// may not keep: of a verified module, as it is written. INVALID_ARGUMENT with
// the place of the op: shardings (CheckWrittenShardings), a sdy.sharding_rule
// that says nothing of the op, unreduced axes that an op cannot keep or add,
// data-flow edges where none can be, and edges of propagation that say nothing
// of the op.
absl::Status CheckSdyAnnotations(const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_SDY_SDY_CHECKS_H_
