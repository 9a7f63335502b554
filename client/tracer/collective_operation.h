#ifndef LOCKSTEP_CLIENT_TRACER_COLLECTIVE_OPERATION_H_
#define LOCKSTEP_CLIENT_TRACER_COLLECTIVE_OPERATION_H_

#include <functional>

#include "absl/strings/str_cat.h"
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

// UNIMPLEMENTED for the types that no collective reduces (spec K-3): integers
// of less than 8 bits, floats of 8 bits and fewer.
inline absl::Status CheckReducible(ElementType type) {
  if (!IsSmall(type)) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat(
      "is not supported on ", NumpyName(type), ": convert it to ",
      IsInteger(type) ? "int8" : "float32", ", and the result back"));
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TRACER_COLLECTIVE_OPERATION_H_
