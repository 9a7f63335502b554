#include "runtime/mesh/python_text.h"

#include <vector>

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
  std::vector<std::string> texts;
  for (const std::string& name : names) texts.push_back(QuotedName(name));
  return TupleOfTexts(texts);
}

std::string TupleOfTexts(absl::Span<const std::string> texts) {
  return absl::StrCat("(", absl::StrJoin(texts, ", "),
                      texts.size() == 1 ? ",)" : ")");
}

std::string TupleText(absl::Span<const int64_t> sizes) {
  std::vector<std::string> texts;
  for (int64_t size : sizes) texts.push_back(absl::StrCat(size));
  return TupleOfTexts(texts);
}

std::string ListText(absl::Span<const int64_t> sizes) {
  return absl::StrCat("[", absl::StrJoin(sizes, ", "), "]");
}

}  // namespace lockstep::internal
