#ifndef LOCKSTEP_RUNTIME_TYPES_ELEMENT_TEXT_H_
#define LOCKSTEP_RUNTIME_TYPES_ELEMENT_TEXT_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/types/element_type.h"

namespace lockstep::internal {

// One element as in the literals of program text:
//   i1       true, false, 1, 0
//   integers [-]digits in the range of the type, or 0x with the bits of the
//            element (0xFF is -1 as i8)
//   floats   a decimal number, rounded once to the nearest value of the type,
//            ties to even; or 0x with the bits of the element
//   complex  (real,imaginary) of two floats, or one float for the real part
// Writes ByteSize(type) bytes to `out`. INVALID_ARGUMENT, naming the text and
// the type: not such a text; an integer or bits that do not fit; a finite
// number beyond the largest of the type.
absl::Status ParseDecimal(absl::string_view text, ElementType type,
                          std::byte* out);

// A text that ParseDecimal takes back to the same bits, and MLIR too: the
// fewest digits, floats always with a point; infinities and NaNs as bits.
// "true", "-7", "0.1", "1.0e-07", "0x7FC0", "(1.0,-2.0)".
std::string FormatElement(ElementType type, const std::byte* element);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_TYPES_ELEMENT_TEXT_H_
