#ifndef LOCKSTEP_RUNTIME_OPS_GEOMETRY_START_INDICES_H_
#define LOCKSTEP_RUNTIME_OPS_GEOMETRY_START_INDICES_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// The start indices of dynamic_slice and dynamic_update_slice: the operands
// from `first` on, one integer scalar per dimension of operand 0, all of one
// type.
absl::Status CheckStartIndices(const Op& op, int first);

// Their values, each clamped to [0, dims[d] - sizes[d]].
Dims ClampedStarts(absl::Span<const LiteralView> indices,
                   absl::Span<const int64_t> dims,
                   absl::Span<const int64_t> sizes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_GEOMETRY_START_INDICES_H_
