#include "tests/readme/console_session.h"

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"

namespace lockstep::internal {
namespace {

constexpr absl::string_view kAnything = "...";

bool LineMatches(absl::string_view shown, absl::string_view actual) {
  std::vector<absl::string_view> parts = absl::StrSplit(shown, kAnything);
  if (!absl::ConsumePrefix(&actual, parts.front())) return false;
  if (parts.size() == 1) return actual.empty();
  for (size_t i = 1; i + 1 < parts.size(); ++i) {
    size_t at = actual.find(parts[i]);
    if (at == absl::string_view::npos) return false;
    actual.remove_prefix(at + parts[i].size());
  }
  return absl::EndsWith(actual, parts.back());
}

bool Matches(absl::Span<const std::string> shown,
             absl::Span<const std::string> actual) {
  if (shown.empty()) return actual.empty();
  if (shown.front() == kAnything) {
    for (size_t skipped = 0; skipped <= actual.size(); ++skipped) {
      if (Matches(shown.subspan(1), actual.subspan(skipped))) return true;
    }
    return false;
  }
  return !actual.empty() &&
         LineMatches(absl::StripTrailingAsciiWhitespace(shown.front()),
                     absl::StripTrailingAsciiWhitespace(actual.front())) &&
         Matches(shown.subspan(1), actual.subspan(1));
}

}  // namespace

std::vector<ConsoleStep> ParseConsoleSession(absl::string_view markdown) {
  std::vector<ConsoleStep> steps;
  bool is_inside = false;
  bool goes_on = false;
  int number = 0;
  for (absl::string_view line : absl::StrSplit(markdown, '\n')) {
    ++number;
    if (absl::StartsWith(line, "```")) {
      is_inside = line == "```console";
      continue;
    }
    if (!is_inside) continue;
    bool starts = !goes_on && absl::ConsumePrefix(&line, "$ ");
    if (starts) steps.push_back({.line = number, .command = {}, .output = {}});
    if (steps.empty()) continue;
    if (!starts && !goes_on) {
      steps.back().output.emplace_back(line);
      continue;
    }
    goes_on = absl::ConsumeSuffix(&line, "\\");
    steps.back().command += std::string(line);
  }
  return steps;
}

bool OutputMatches(const std::vector<std::string>& shown,
                   const std::vector<std::string>& actual) {
  return Matches(shown, actual);
}

}  // namespace lockstep::internal
