#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_SUITE_REPORT_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_SUITE_REPORT_H_

#include <string>
#include <vector>

#include "runtime/conformance/case_result.h"

namespace lockstep::internal {

struct SuiteCounts {
  int total = 0;
  int passed = 0;
  int failed = 0;  // fail, wrong-reject, timeout, crash
  int unsupported = 0;
};
SuiteCounts CountResults(const std::vector<CaseResult>& results);

// "fail         dot.mlir#2: stablehlo.dot_general: reason".
std::string ResultLine(const CaseResult& result);

// Three tables: by status, by op, unsupported by reason; and the last line
// "N passed, N failed, N skipped". Without times: the same results give the
// same text.
std::string ReportText(const std::vector<CaseResult>& results);

// {"total": .., "passed": .., "failed": .., "unsupported": .., "backend": ..,
// "seconds": .., "cases": [{"file", "case", "status", "op", "reason",
// "seconds", ..}, ..]}.
std::string ReportJson(const std::vector<CaseResult>& results,
                       const std::string& backend, double seconds);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_SUITE_REPORT_H_
