#ifndef LOCKSTEP_CLIENT_ARRAYS_ROW_LAYOUT_H_
#define LOCKSTEP_CLIENT_ARRAYS_ROW_LAYOUT_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// The mapped dimension of an array, taken apart and put together.

// The shape of a row, and that of `count` rows.
Shape RowShape(const Shape& whole, int64_t dim);
Shape StackedShape(const Shape& row, int64_t dim, int64_t count);

// One literal per index of `dim`, without that dimension, which must exist.
std::vector<Literal> SplitAlong(const LiteralView& whole, int64_t dim);

// The inverse; `rows` are not empty and have one shape.
Literal StackAlong(absl::Span<const Literal> rows, int64_t dim);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_ARRAYS_ROW_LAYOUT_H_
