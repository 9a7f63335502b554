#include "runtime/conformance/module_splitter.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace lockstep::internal {
namespace {

bool IsNamedPart(absl::string_view line) {
  return absl::StartsWith(line, "//--- ");
}

bool IsSeparator(absl::string_view line) {
  return IsNamedPart(line) || absl::StripAsciiWhitespace(line) == "// -----";
}

bool HasContent(absl::string_view line) {
  line = absl::StripLeadingAsciiWhitespace(line);
  return !line.empty() && !absl::StartsWith(line, "//");
}

}  // namespace

std::vector<ModuleText> SplitModules(absl::string_view file_text) {
  std::vector<ModuleText> modules;
  int number = 0;
  int line_number = 0;
  bool is_split = false;
  bool has_content = false;
  const char* begin = file_text.data();
  int begin_line = 0;
  const auto end_module = [&](const char* end) {
    if (has_content) {
      modules.push_back({absl::StrCat("#", number),
                         absl::StrCat(std::string(begin_line, '\n'),
                                      absl::string_view(begin, end - begin))});
    }
    ++number;
    has_content = false;
  };
  for (absl::string_view line : absl::StrSplit(file_text, '\n')) {
    if (IsSeparator(line)) {
      is_split = true;
      end_module(line.data());
      begin = line.data();
      begin_line = line_number;
    } else {
      has_content = has_content || HasContent(line);
    }
    ++line_number;
  }
  end_module(file_text.data() + file_text.size());
  if (!is_split && !modules.empty()) modules[0].suffix.clear();
  return modules;
}

bool HasNamedParts(absl::string_view file_text) {
  for (absl::string_view line : absl::StrSplit(file_text, '\n')) {
    if (IsNamedPart(line)) return true;
  }
  return false;
}

}  // namespace lockstep::internal
