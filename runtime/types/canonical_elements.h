#ifndef LOCKSTEP_RUNTIME_TYPES_CANONICAL_ELEMENTS_H_
#define LOCKSTEP_RUNTIME_TYPES_CANONICAL_ELEMENTS_H_

#include "runtime/types/literal.h"

namespace lockstep::internal {

// Makes bytes from outside what their type allows: i1 is 0 or 1, nonzero being
// 1; types of fewer than 8 bits are their low bits. Other types stay.
void CanonicalizeElements(const MutableLiteralView& literal);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_TYPES_CANONICAL_ELEMENTS_H_
