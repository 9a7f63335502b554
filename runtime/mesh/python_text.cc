#include "runtime/mesh/python_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep::internal {

std::string QuotedName(absl::string_view name) {
  const bool is_single =
      name.find('\'') == name.npos || name.find('"') != name.npos;
  const char quote = is_single ? '\'' : '"';
  std::string text(1, quote);
  for (char c : name) {
    if (c == quote || c == '\\') text += '\\';
    text += c;
  }
  return text + quote;
}

std::string QuotedNames(absl::Span<const std::string> names) {
  return absl::StrCat(
      "(",
      absl::StrJoin(names, ", ",
                    [](std::string* out, absl::string_view name) {
                      absl::StrAppend(out, QuotedName(name));
                    }),
      names.size() == 1 ? ",)" : ")");
}

std::string TupleText(absl::Span<const int64_t> sizes) {
  return absl::StrCat("(", absl::StrJoin(sizes, ", "),
                      sizes.size() == 1 ? ",)" : ")");
}

std::string ListText(absl::Span<const int64_t> sizes) {
  return absl::StrCat("[", absl::StrJoin(sizes, ", "), "]");
}

}  // namespace lockstep::internal
