#include "client/pmap/constant_evaluation.h"

#include "runtime/interpreter/interpreter.h"

namespace lockstep::internal {

absl::StatusOr<std::vector<Literal>> EvaluateConstants(const Module& module) {
  return Evaluate(module, {});
}

}  // namespace lockstep::internal
