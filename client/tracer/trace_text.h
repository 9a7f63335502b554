#ifndef LOCKSTEP_CLIENT_TRACER_TRACE_TEXT_H_
#define LOCKSTEP_CLIENT_TRACER_TRACE_TEXT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "client/tracer/trace.h"

namespace lockstep::internal {

// The StableHLO module of a traced function: @main takes the arguments of the
// trace's main block and gives its returns, on `replicas` replicas. Ops that no
// result needs are left out. Values are numbered as MLIR numbers them; the same
// trace gives the same text everywhere.
std::string ModuleText(Trace& trace, absl::string_view module_name,
                       int64_t replicas);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TRACER_TRACE_TEXT_H_
