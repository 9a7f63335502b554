#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_EXPECTATIONS_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_EXPECTATIONS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/conformance/case_result.h"

namespace lockstep::internal {

// The cases of a suite that are known not to pass, with their status. A file of
// lines "status case"; lines that begin with "#" are comments.
class Expectations {
 public:
  static Expectations Of(const std::vector<CaseResult>& results);
  // INVALID_ARGUMENT names the line.
  static absl::StatusOr<Expectations> Parse(absl::string_view text,
                                            absl::string_view file_name);

  std::string ToString() const;

  // A line per case that is worse ("regression") or better ("unexpected pass",
  // "better than expected") than recorded. A case that did not run is left
  // out: it may have been filtered.
  std::vector<std::string> Deviations(
      const std::vector<CaseResult>& results) const;

 private:
  std::map<std::string, CaseStatus> expected_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_EXPECTATIONS_H_
