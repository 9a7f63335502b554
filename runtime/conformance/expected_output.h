#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_EXPECTED_OUTPUT_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_EXPECTED_OUTPUT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace lockstep::internal {

// What the comments of a test program expect to be printed: "// CHECK: text"
// in some line behind the last one found, "// CHECK-NEXT: text" in the very
// next. A run of blanks stands for any other.
class ExpectedOutput {
 public:
  // nullopt: a directive or a pattern of another kind, which is not supported.
  static std::optional<ExpectedOutput> Parse(absl::string_view module_text);

  bool empty() const { return lines_.empty(); }
  // What is wrong with `printed`; nullopt when all is as expected.
  std::optional<std::string> Mismatch(absl::string_view printed) const;

 private:
  struct Line {
    std::string text;
    bool is_next;
  };
  std::vector<Line> lines_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_EXPECTED_OUTPUT_H_
