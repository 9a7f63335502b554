#ifndef LOCKSTEP_CLIENT_TRACER_BROADCASTING_H_
#define LOCKSTEP_CLIENT_TRACER_BROADCASTING_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/tracer/trace.h"

namespace lockstep::internal {

// NumPy's common shape. INVALID_ARGUMENT names the shapes.
absl::StatusOr<Dims> BroadcastDims(absl::Span<const Shape> shapes);

// Converts to the common element type (weak values adapt to strong ones).
// INVALID_ARGUMENT for an integer number that the type cannot hold.
absl::StatusOr<std::vector<TraceValue*>> Promote(
    Trace& trace, std::vector<TraceValue*> values);

// Resolves, promotes and broadcasts operands.
absl::StatusOr<std::vector<TraceValue*>> Unify(
    Trace& trace, absl::Span<const Operand* const> operands);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TRACER_BROADCASTING_H_
