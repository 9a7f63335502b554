#ifndef LOCKSTEP_CLIENT_TRACER_COLLECTIVE_OF_CONSTANT_H_
#define LOCKSTEP_CLIENT_TRACER_COLLECTIVE_OF_CONSTANT_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "client/tracer/collective_groups.h"
#include "client/tracer/trace.h"

// Collectives of values that every member computes itself, without
// communication (spec K-5).

namespace lockstep::internal {

// x · (size of the member's group), in x's type. A number stays weakly typed.
ValueOr ConstantPsum(Trace& trace, TraceValue* x,
                     const CollectiveGroups& groups);
// x for destinations of `pairs` (replica ids), zeros for the others.
ValueOr ConstantPpermute(Trace& trace, TraceValue* x,
                         const std::vector<std::pair<int64_t, int64_t>>& pairs,
                         const CollectiveGroups& groups);
// `count` copies of the operand, concatenated along `dim`.
ValueOr Repeated(Trace& trace, ValueOr operand, int64_t dim, int64_t count);
// The chunk of the operand along `dim` that belongs to the member's position.
ValueOr OwnChunk(Trace& trace, ValueOr operand, int64_t dim,
                 const CollectiveGroups& groups);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TRACER_COLLECTIVE_OF_CONSTANT_H_
