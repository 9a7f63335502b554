#include <cstring>

#include "absl/strings/str_cat.h"
#include "runtime/ops/custom_calls/custom_call_target.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {
namespace {

absl::Status CheckAnnotation(const Op& op) {
  if (op.operand_count() == 1 && op.result_count() == 1 &&
      op.operand(0)->type() == op.result()->type()) {
    return absl::OkStatus();
  }
  return op.Error(
      absl::StrCat("@", CustomCallTargetName(op),
                   ": expected one operand and one result of its type, found ",
                   op.operand_count(), " and ", op.result_count()));
}

absl::Status EvaluateAnnotation(EvaluationContext&, const Op&,
                                absl::Span<const LiteralView> operands,
                                absl::Span<const MutableLiteralView> results) {
  std::memcpy(results[0].bytes(), operands[0].bytes(),
              results[0].byte_span().size());
  return absl::OkStatus();
}

// Annotations of the sharding of a value; they do not change it.
void AddAnnotations(CustomCallTargets& targets) {
  for (absl::string_view name :
       {"Sharding", "xla.sdy.FuncResultSharding", "xla.sdy.Sharding"}) {
    targets.Add(name,
                {.check = CheckAnnotation, .evaluate = EvaluateAnnotation});
  }
}

REGISTER_CUSTOM_CALL_TARGETS(AddAnnotations);

}  // namespace
}  // namespace lockstep::internal
