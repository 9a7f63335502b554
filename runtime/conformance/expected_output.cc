#include "runtime/conformance/expected_output.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace lockstep::internal {
namespace {

// "CHECK-DENSE:" belongs to another RUN line, "CHECK-NOT:" to this one.
bool IsOfAnotherPrefix(absl::string_view behind_check) {
  if (!absl::StartsWith(behind_check, "-")) return false;
  for (const char* directive :
       {"-NEXT", "-NOT", "-SAME", "-EMPTY", "-LABEL", "-DAG", "-COUNT"}) {
    if (absl::StartsWith(behind_check, directive)) return false;
  }
  return true;
}

std::string WithSingleBlanks(absl::string_view line) {
  std::string text(line);
  absl::RemoveExtraAsciiWhitespace(&text);
  return text;
}

}  // namespace

std::optional<ExpectedOutput> ExpectedOutput::Parse(
    absl::string_view module_text) {
  ExpectedOutput expected;
  for (absl::string_view line : absl::StrSplit(module_text, '\n')) {
    line = absl::StripLeadingAsciiWhitespace(line);
    if (!absl::ConsumePrefix(&line, "// CHECK")) continue;
    if (IsOfAnotherPrefix(line)) continue;
    const bool is_next = absl::ConsumePrefix(&line, "-NEXT");
    const bool is_literal = absl::ConsumePrefix(&line, "{LITERAL}");
    if (!absl::ConsumePrefix(&line, ":")) return std::nullopt;
    if (!is_literal &&
        (absl::StrContains(line, "{{") || absl::StrContains(line, "[["))) {
      return std::nullopt;
    }
    expected.lines_.push_back({WithSingleBlanks(line), is_next});
  }
  return expected;
}

std::optional<std::string> ExpectedOutput::Mismatch(
    absl::string_view printed) const {
  const std::vector<absl::string_view> found = absl::StrSplit(printed, '\n');
  size_t next = 0;
  for (const Line& line : lines_) {
    const size_t end = line.is_next ? next + 1 : found.size();
    bool is_found = false;
    while (!is_found && next < end && next < found.size()) {
      is_found = absl::StrContains(WithSingleBlanks(found[next++]), line.text);
    }
    if (is_found) continue;
    return absl::StrCat("expected to print \"", line.text, "\", found \"",
                        absl::CEscape(printed), "\"");
  }
  return std::nullopt;
}

}  // namespace lockstep::internal
