#ifndef LOCKSTEP_RUNTIME_OPS_GEOMETRY_PADDING_H_
#define LOCKSTEP_RUNTIME_OPS_GEOMETRY_PADDING_H_

#include <cstddef>

#include "absl/types/span.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Fills `result` with the element at `value` and puts the operand's elements
// there: `interior` places between neighbours, the first one at `low`. What
// falls outside the result is cut off.
void PadInto(const LiteralView& operand, const std::byte* value,
             absl::Span<const int64_t> low, absl::Span<const int64_t> interior,
             const MutableLiteralView& result);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_GEOMETRY_PADDING_H_
