#ifndef LOCKSTEP_RUNTIME_IR_ELEMENTS_PRINTER_H_
#define LOCKSTEP_RUNTIME_IR_ELEMENTS_PRINTER_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "runtime/ir/attribute.h"

namespace lockstep::internal {

// Appends "dense<[1, 2]> : tensor<2xi32>". Above `hex_above_elements` elements
// the values are a hex blob; a splat is always one value.
void AppendElements(const Attribute::Elements& elements,
                    int64_t hex_above_elements, std::string* out);

// A float attribute without its type: "1.0", "1.0e-05", "0x7FC00000".
std::string FloatText(double value, absl::string_view type);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_ELEMENTS_PRINTER_H_
