#ifndef LOCKSTEP_CLIENT_EAGER_ARRAY_SLICES_H_
#define LOCKSTEP_CLIENT_EAGER_ARRAY_SLICES_H_

#include <cstdint>
#include <vector>

#include "client/arrays/array.h"
#include "client/tracer/source_location.h"

// Parts of arrays, outside of mapped functions, under the names of
// client/tracer/data_movement.h. As the operations of array_operations.h each
// is one call of all hosts of the array, returns before its result is there,
// and its errors are in the result.
//
//   Array tail = slice_in_dim(x, 6, 8);  // rows 6 and 7
//   Array row = index_in_dim(x, -1);     // the last one
//
// Over a mesh, dimensions that are cut are not sharded in the result: an array
// that is sharded there is resharded first, in the same call. Of rows, the
// mapped dimension is cut without a copy and without a call: the rows stay on
// their devices.
//
// Errors beside those of array_operations.h: INVALID_ARGUMENT for a range or a
// dimension that the array does not have.

namespace lockstep {

// Elements starts, starts + strides, .. below limits, per dimension.
Array slice(const Array& x, const std::vector<int64_t>& starts,
            const std::vector<int64_t>& limits,
            const std::vector<int64_t>& strides = {},
            SourceLocation location = SourceLocation::current());
// Slice of one dimension, which may be negative (counted from the last).
Array slice_in_dim(const Array& x, int64_t start, int64_t limit,
                   int64_t dim = 0,
                   SourceLocation location = SourceLocation::current());
// The part at one index of a dimension, without that dimension. Both may be
// negative.
Array index_in_dim(const Array& x, int64_t index, int64_t dim = 0,
                   SourceLocation location = SourceLocation::current());

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_EAGER_ARRAY_SLICES_H_
