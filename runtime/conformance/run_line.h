#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_RUN_LINE_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_RUN_LINE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// The first "// RUN:" comment of a test file: how its suite runs it.
struct RunLine {
  // Evaluates the programs. One that checks nothing then claims that it runs
  // to its end.
  bool interprets = false;
  // Compares what is printed with the CHECK comments.
  bool compares_output = false;
  // --args="[dense<1> : tensor<i32>, ..]", for @main; empty when there is none.
  std::string arguments;
};
RunLine ReadRunLine(absl::string_view file_text);

// The values of RunLine::arguments. INVALID_ARGUMENT when they are no list of
// dense literals; UNIMPLEMENTED for types that are not supported.
absl::StatusOr<std::vector<Literal>> ParseRunArguments(absl::string_view text);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_RUN_LINE_H_
