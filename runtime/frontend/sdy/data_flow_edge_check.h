#ifndef LOCKSTEP_RUNTIME_FRONTEND_SDY_DATA_FLOW_EDGE_CHECK_H_
#define LOCKSTEP_RUNTIME_FRONTEND_SDY_DATA_FLOW_EDGE_CHECK_H_

#include "absl/status/status.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// Every sdy.data_flow_edge and sdy.func_data_flow_edge of a verified module is
// the only user of its operand. That of the first is no result of an op of the
// dialect but one with a body; that of the second is an argument of a function
// or a result of a call. INVALID_ARGUMENT with the place of the op.
absl::Status CheckDataFlowEdges(const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_FRONTEND_SDY_DATA_FLOW_EDGE_CHECK_H_
