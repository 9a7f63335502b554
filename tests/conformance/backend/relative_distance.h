#ifndef LOCKSTEP_TESTS_CONFORMANCE_BACKEND_RELATIVE_DISTANCE_H_
#define LOCKSTEP_TESTS_CONFORMANCE_BACKEND_RELATIVE_DISTANCE_H_

#include "runtime/types/literal.h"

namespace lockstep::internal {

// The 2-norm of the difference divided by that of `expected`, for floats and
// complex numbers of one shape. NaN where one has NaN.
double RelativeDistance(const LiteralView& expected, const LiteralView& found);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_CONFORMANCE_BACKEND_RELATIVE_DISTANCE_H_
