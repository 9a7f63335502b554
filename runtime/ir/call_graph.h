#ifndef LOCKSTEP_RUNTIME_IR_CALL_GRAPH_H_
#define LOCKSTEP_RUNTIME_IR_CALL_GRAPH_H_

#include "absl/status/status.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// Every func.call: the callee exists and its argument and result types are
// those of the call; no function calls itself, directly or through others; the
// regions and calls that are open at one time are at most kMaxRegionDepth, so
// that an evaluator may recurse over them.
absl::Status CheckCalls(const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_CALL_GRAPH_H_
