#ifndef LOCKSTEP_RUNTIME_TYPES_SMALL_FLOAT_FORMAT_H_
#define LOCKSTEP_RUNTIME_TYPES_SMALL_FLOAT_FORMAT_H_

#include <cstdint>

#include "runtime/types/element_type.h"

namespace lockstep::internal {

// What code that converts small floats must know of their layout.

// Of a type for which IsSmallFloat holds.
SmallFloatFormat FormatOf(ElementType type);

// The bit above exponent and mantissa, also where it is no sign.
int SignBit(const SmallFloatFormat& format);
// The bits of NaN (without a sign where there is a choice), or those that stand
// in for it.
uint8_t NanBits(const SmallFloatFormat& format);
// The bits of the largest finite magnitude.
int LargestBits(const SmallFloatFormat& format);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_TYPES_SMALL_FLOAT_FORMAT_H_
