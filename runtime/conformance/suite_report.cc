#include "runtime/conformance/suite_report.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace lockstep::internal {
namespace {

using Json = nlohmann::ordered_json;

constexpr CaseStatus kStatuses[] = {
    CaseStatus::kPass,    CaseStatus::kFail,  CaseStatus::kWrongReject,
    CaseStatus::kTimeout, CaseStatus::kCrash, CaseStatus::kUnsupported};

std::string StatusTable(const std::vector<CaseResult>& results) {
  std::string text;
  for (const CaseStatus status : kStatuses) {
    const auto count = std::count_if(
        results.begin(), results.end(),
        [&](const CaseResult& result) { return result.status == status; });
    absl::StrAppendFormat(&text, "%-14s %7d\n",
                          std::string(CaseStatusName(status)), count);
  }
  absl::StrAppendFormat(&text, "%-14s %7d\n", "total", results.size());
  return text;
}

// A case counts for each of its ops.
std::string OpTable(const std::vector<CaseResult>& results) {
  std::map<std::string, SuiteCounts> ops;
  size_t width = 2;
  for (const CaseResult& result : results) {
    std::vector<std::string> names = result.ops;
    if (names.empty()) names.push_back(result.op.empty() ? "-" : result.op);
    for (const std::string& name : names) {
      SuiteCounts& counts = ops[name];
      counts.passed += result.status == CaseStatus::kPass;
      counts.failed += IsFailure(result.status);
      counts.unsupported += result.status == CaseStatus::kUnsupported;
      width = std::max(width, name.size());
    }
  }
  std::string text = absl::StrFormat("%-*s %7s %7s %11s\n", width, "op", "pass",
                                     "fail", "unsupported");
  for (const auto& [name, counts] : ops) {
    absl::StrAppendFormat(&text, "%-*s %7d %7d %11d\n", width, name,
                          counts.passed, counts.failed, counts.unsupported);
  }
  return text;
}

std::string ReasonTable(const std::vector<CaseResult>& results) {
  std::map<std::string, int> reasons;
  size_t width = 20;
  for (const CaseResult& result : results) {
    if (result.status != CaseStatus::kUnsupported) continue;
    ++reasons[result.reason];
    width = std::max(width, result.reason.size());
  }
  if (reasons.empty()) return "";
  std::string text =
      absl::StrFormat("%-*s %7s\n", width, "unsupported because", "cases");
  for (const auto& [reason, count] : reasons) {
    absl::StrAppendFormat(&text, "%-*s %7d\n", width, reason, count);
  }
  return absl::StrCat(text, "\n");
}

Json CaseJson(const CaseResult& result) { return Json::parse(ToJson(result)); }

}  // namespace

SuiteCounts CountResults(const std::vector<CaseResult>& results) {
  SuiteCounts counts;
  for (const CaseResult& result : results) {
    ++counts.total;
    counts.passed += result.status == CaseStatus::kPass;
    counts.failed += IsFailure(result.status);
    counts.unsupported += result.status == CaseStatus::kUnsupported;
  }
  return counts;
}

std::string ResultLine(const CaseResult& result) {
  std::string line = absl::StrFormat(
      "%-12s %s", std::string(CaseStatusName(result.status)), result.name);
  if (result.is_disabled_upstream) {
    absl::StrAppend(&line, " [disabled upstream]");
  }
  if (!result.reason.empty()) absl::StrAppend(&line, ": ", result.reason);
  if (!result.detail.empty()) absl::StrAppend(&line, " (", result.detail, ")");
  return line;
}

std::string ReportText(const std::vector<CaseResult>& results) {
  const SuiteCounts counts = CountResults(results);
  return absl::StrCat(StatusTable(results), "\n", OpTable(results), "\n",
                      ReasonTable(results), counts.passed, " passed, ",
                      counts.failed, " failed, ", counts.unsupported,
                      " skipped\n");
}

std::string ReportJson(const std::vector<CaseResult>& results,
                       const std::string& backend, double seconds) {
  const SuiteCounts counts = CountResults(results);
  Json json;
  json["total"] = counts.total;
  json["passed"] = counts.passed;
  json["failed"] = counts.failed;
  json["unsupported"] = counts.unsupported;
  json["backend"] = backend;
  json["seconds"] = seconds;
  json["cases"] = Json::array();
  for (const CaseResult& result : results) {
    json["cases"].push_back(CaseJson(result));
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::internal
