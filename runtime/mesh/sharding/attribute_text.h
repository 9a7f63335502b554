#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_ATTRIBUTE_TEXT_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_ATTRIBUTE_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lockstep::internal {

// Names and numbers as MLIR prints them in attributes; TextScanner reads them.

// "\"data\"": quotes, backslashes and what is not printable are escaped.
std::string QuotedAttribute(absl::string_view name);
// "\"a\", \"b\"".
std::string QuotedAttributes(absl::Span<const std::string> names);
// "@mesh"; in quotes when the name is not an identifier.
std::string SymbolText(absl::string_view name);
// "4, 2".
std::string NumbersText(absl::Span<const int64_t> numbers);

// Whether the character may stand in a symbol without quotes.
bool IsSymbolCharacter(char c);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_ATTRIBUTE_TEXT_H_
