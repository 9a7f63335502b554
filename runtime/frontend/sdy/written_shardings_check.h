#ifndef LOCKSTEP_RUNTIME_FRONTEND_SDY_WRITTEN_SHARDINGS_CHECK_H_
#define LOCKSTEP_RUNTIME_FRONTEND_SDY_WRITTEN_SHARDINGS_CHECK_H_

#include "absl/status/status.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// What Shardy asks of shardings in a program, beside what holds of those of any
// verified module: unreduced axes are in the order of the mesh; axes that are
// manual around an op are not among its replicated axes; those of a
// sdy.named_computation are of its operands and results, and that of an op
// without results has no dimensions and no axes. INVALID_ARGUMENT with the
// place of the op or function.
absl::Status CheckWrittenShardings(const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_SDY_WRITTEN_SHARDINGS_CHECK_H_
