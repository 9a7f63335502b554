#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_CASE_RESULT_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_CASE_RESULT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// From best to worst, for expectations: a later one is worse.
enum class CaseStatus {
  // All checks passed, at least one ran; or the suite only runs the case, and
  // it ran to its end.
  kPass,
  kUnsupported,  // valid, but something is UNIMPLEMENTED
  kFail,         // a check failed, or an error while running
  kWrongReject,  // refused as invalid
  kTimeout,
  kCrash,
};

absl::string_view CaseStatusName(CaseStatus status);  // "wrong-reject"
std::optional<CaseStatus> ParseCaseStatus(absl::string_view name);

// Whether the status makes a run fail.
inline bool IsFailure(CaseStatus status) {
  return status != CaseStatus::kPass && status != CaseStatus::kUnsupported;
}

// What came of one case of a suite. A value.
struct CaseResult {
  std::string file;  // below the suite's folder
  std::string name;  // "file", "file#2", "file@f"
  CaseStatus status = CaseStatus::kPass;
  // The op under test: what produced the value of the first check; of an
  // unsupported op its name. Empty when unknown.
  std::string op;
  // Of unsupported cases one of a closed list, "op stablehlo.rng"; of failures
  // the message.
  std::string reason;
  // The message behind an unsupported case.
  std::string detail;
  // The ops of the case but constants, calls and checks; sorted.
  std::vector<std::string> ops;
  std::vector<std::string> element_types;
  double seconds = 0;
  // The suite does not run it itself (RUN-DISABLED).
  bool is_disabled_upstream = false;
};

// As one line of JSON, and back; INTERNAL when it is not one.
std::string ToJson(const CaseResult& result);
absl::Status FromJson(absl::string_view json, CaseResult& result);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_CASE_RESULT_H_
