#include "runtime/mesh/sharding/attribute_text.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep::internal {

std::string QuotedAttribute(absl::string_view name) {
  constexpr absl::string_view kHex = "0123456789ABCDEF";
  std::string text = "\"";
  for (const char c : name) {
    if (c == '\\') {
      text += "\\\\";
    } else if (c == '"' || !absl::ascii_isprint(c)) {
      const auto byte = static_cast<unsigned char>(c);
      text += {'\\', kHex[byte / 16], kHex[byte % 16]};
    } else {
      text += c;
    }
  }
  return text + '"';
}

std::string QuotedAttributes(absl::Span<const std::string> names) {
  return absl::StrJoin(names, ", ",
                       [](std::string* out, const std::string& name) {
                         absl::StrAppend(out, QuotedAttribute(name));
                       });
}

bool IsSymbolCharacter(char c) {
  return absl::ascii_isalnum(c) || c == '_' || c == '$' || c == '.';
}

std::string SymbolText(absl::string_view name) {
  const bool is_identifier =
      !name.empty() && (absl::ascii_isalpha(name[0]) || name[0] == '_') &&
      std::all_of(name.begin(), name.end(), IsSymbolCharacter);
  return absl::StrCat(
      "@", is_identifier ? std::string(name) : QuotedAttribute(name));
}

std::string NumbersText(absl::Span<const int64_t> numbers) {
  return absl::StrJoin(numbers, ", ");
}

}  // namespace lockstep::internal
