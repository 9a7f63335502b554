#ifndef LOCKSTEP_CLIENT_EAGER_ARRAY_REDUCTIONS_H_
#define LOCKSTEP_CLIENT_EAGER_ARRAY_REDUCTIONS_H_

#include "client/arrays/array.h"
#include "client/tracer/reductions.h"
#include "client/tracer/source_location.h"

// The reductions of client/tracer/reductions.h on arrays, outside of mapped
// functions, with their element types. As the operations of array_operations.h
// each is one call of all hosts of the array, returns before its result is
// there, and its errors are in the result.
//
//   Array loss = mean(square(x - y));  // one value, on every device of x
//
// Over a mesh the dimensions that stay keep their sharding. What devices have
// of the reduced ones they combine among themselves, in one fixed order, sums
// and means of floating point below 32 bits in float32, rounded once, at the
// end. Of rows, the mapped dimension cannot be reduced here: it is in a mapped
// function, by psum and others.
//
// Errors beside those of array_operations.h: INVALID_ARGUMENT for a dimension
// that is out of range, given twice, or mapped over devices.

namespace lockstep {

Array sum(const Array& x, const ReducedDims& dims = {}, bool keep_dims = false,
          SourceLocation location = SourceLocation::current());
Array mean(const Array& x, const ReducedDims& dims = {}, bool keep_dims = false,
           SourceLocation location = SourceLocation::current());
Array max(const Array& x, const ReducedDims& dims = {}, bool keep_dims = false,
          SourceLocation location = SourceLocation::current());
Array min(const Array& x, const ReducedDims& dims = {}, bool keep_dims = false,
          SourceLocation location = SourceLocation::current());
Array any(const Array& x, const ReducedDims& dims = {},
          SourceLocation location = SourceLocation::current());
Array all(const Array& x, const ReducedDims& dims = {},
          SourceLocation location = SourceLocation::current());

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_EAGER_ARRAY_REDUCTIONS_H_
