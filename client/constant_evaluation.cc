#include "client/constant_evaluation.h"

#include "runtime/base/status.h"
#include "runtime/frontend/parser.h"
#include "runtime/interpreter/interpreter.h"

namespace lockstep::internal {

absl::StatusOr<std::vector<Literal>> EvaluateConstants(
    const std::string& text) {
  ASSIGN_OR_RETURN(const auto module, ParseAndVerify(text, "traced"));
  return Evaluate(*module, {});
}

}  // namespace lockstep::internal
