#ifndef LOCKSTEP_CLIENT_TRACER_COLLECTIVE_OPERATION_H_
#define LOCKSTEP_CLIENT_TRACER_COLLECTIVE_OPERATION_H_

#include <functional>

#include "absl/strings/string_view.h"
#include "client/tracer/collective_groups.h"
#include "client/tracer/collectives.h"
#include "client/tracer/trace.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

// The public collective `name` on x: resolves groups and operand, in that order
// of checks, for `body`.
inline Tensor CollectiveOperation(
    absl::string_view name, const Operand& x, const AxisNames& axes,
    const ReplicaGroups& index_groups, bool equal_sizes,
    const std::function<ValueOr(Trace&, TraceValue*, const CollectiveGroups&)>&
        body) {
  return TraceOperation(name, x.location(), {&x}, [&](Trace& trace) -> ValueOr {
    ASSIGN_OR_RETURN(const CollectiveGroups groups,
                     ResolveGroups(trace.axes(), name, axes.names(),
                                   index_groups, equal_sizes));
    ASSIGN_OR_RETURN(TraceValue * value, trace.Resolve(x));
    return body(trace, value, groups);
  });
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TRACER_COLLECTIVE_OPERATION_H_
