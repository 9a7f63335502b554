#include "runtime/conformance/expectations.h"

#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace lockstep::internal {

Expectations Expectations::Of(const std::vector<CaseResult>& results) {
  Expectations expectations;
  for (const CaseResult& result : results) {
    if (result.status == CaseStatus::kPass) continue;
    expectations.expected_[result.name] = result.status;
  }
  return expectations;
}

absl::StatusOr<Expectations> Expectations::Parse(absl::string_view text,
                                                 absl::string_view file_name) {
  Expectations expectations;
  int line_number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++line_number;
    if (line.empty() || absl::StartsWith(line, "#")) continue;
    const std::vector<absl::string_view> parts =
        absl::StrSplit(line, absl::MaxSplits(' ', 1));
    const std::optional<CaseStatus> status = ParseCaseStatus(parts[0]);
    if (parts.size() != 2 || !status || *status == CaseStatus::kPass) {
      return absl::InvalidArgumentError(absl::StrCat(
          file_name, ":", line_number,
          ": expected a status that is not pass and a case, found \"", line,
          "\""));
    }
    expectations.expected_[std::string(parts[1])] = *status;
  }
  return expectations;
}

std::string Expectations::ToString() const {
  std::string text;
  for (const auto& [name, status] : expected_) {
    absl::StrAppend(&text, CaseStatusName(status), " ", name, "\n");
  }
  return text;
}

std::vector<std::string> Expectations::Deviations(
    const std::vector<CaseResult>& results) const {
  std::vector<std::string> deviations;
  for (const CaseResult& result : results) {
    const auto found = expected_.find(result.name);
    const CaseStatus expected =
        found == expected_.end() ? CaseStatus::kPass : found->second;
    if (result.status == expected) continue;
    const char* kind = result.status > expected ? "regression"
                       : result.status == CaseStatus::kPass
                           ? "unexpected pass"
                           : "better than expected";
    deviations.push_back(absl::StrCat(kind, ": ", result.name, ": expected ",
                                      CaseStatusName(expected), ", found ",
                                      CaseStatusName(result.status)));
  }
  return deviations;
}

}  // namespace lockstep::internal
