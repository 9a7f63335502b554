#ifndef LOCKSTEP_RUNTIME_IR_ATTRIBUTE_PRINTER_H_
#define LOCKSTEP_RUNTIME_IR_ATTRIBUTE_PRINTER_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/ir/attribute.h"
#include "runtime/ir/printer.h"

namespace lockstep::internal {

// Each appends to `out`.
void AppendAttribute(const Attribute& attribute, const PrintOptions& options,
                     std::string* out);
// "a = 1, b": sorted by name, without those in `except`.
void AppendAttributes(const AttributeMap& attributes,
                      absl::Span<const absl::string_view> except,
                      const PrintOptions& options, std::string* out);
// "\"text\"" with escapes.
void AppendQuoted(absl::string_view text, std::string* out);
// "@f", "@a::@b", "@\"odd name\"".
void AppendSymbol(absl::string_view name, std::string* out);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_ATTRIBUTE_PRINTER_H_
