#ifndef LOCKSTEP_TESTS_CONFORMANCE_BACKEND_LITERAL_DISTANCE_H_
#define LOCKSTEP_TESTS_CONFORMANCE_BACKEND_LITERAL_DISTANCE_H_

#include <cstdint>
#include <string>

#include "runtime/types/literal.h"

namespace lockstep::internal {

// "" when the two have one shape and each element of `found` is within `ulps`
// units in the last place of `expected`; any NaN equals any NaN, zeros differ
// by their sign; finite complex numbers to units of the larger part unless
// `ulps` is 0. Else the first element that differs.
std::string FirstDifference(const LiteralView& expected,
                            const LiteralView& found, int64_t ulps);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_CONFORMANCE_BACKEND_LITERAL_DISTANCE_H_
