#ifndef LOCKSTEP_RUNTIME_FRONTEND_SDY_PROPAGATION_EDGES_CHECK_H_
#define LOCKSTEP_RUNTIME_FRONTEND_SDY_PROPAGATION_EDGES_CHECK_H_

#include "absl/status/status.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// What a program says of how Shardy propagated its shardings (attributes
// sdy.propagation_edges, sdy.result_propagation_edges and
// sdy.block_arg_propagation_edges of an op of a verified module; nothing else
// reads them) is well formed. The first says it of operands and results that
// the op has, and of axes of the one mesh of their shardings. INVALID_ARGUMENT
// with the place of the op.
absl::Status CheckPropagationEdges(const Op& op, const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_SDY_PROPAGATION_EDGES_CHECK_H_
