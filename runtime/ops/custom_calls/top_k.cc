#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/custom_calls/call_config.h"
#include "runtime/ops/custom_calls/custom_call_target.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/evaluation/top_elements.h"

namespace lockstep::internal {
namespace {

absl::Status CheckResult(const Op& op, int i, ElementType type,
                         absl::Span<const int64_t> dims) {
  const Type expected = Shape(type, dims);
  if (op.result(i)->type() == expected) return absl::OkStatus();
  return op.Error(absl::StrCat("result ", i, ": expected ", expected.ToString(),
                               ", found ", op.result(i)->type().ToString()));
}

absl::Status CheckTopK(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  RETURN_IF_ERROR(CheckResultCount(op, 2));
  RETURN_IF_ERROR(
      CheckElementType(op, 0, kPredTypes | kIntegerTypes | kFloatTypes));
  const Shape& operand = op.operand(0)->shape();
  const Type& values = op.result(0)->type();
  if (operand.rank() < 1 || !values.is_tensor() ||
      values.shape().rank() != operand.rank()) {
    return op.Error(absl::StrCat(
        "expected operand and results of one rank, 1 or more, found ",
        operand.ToString(), " and ", values.ToString()));
  }
  const int64_t last = operand.rank() - 1;
  const CallConfig config(op);
  ASSIGN_OR_RETURN(const int64_t k,
                   config.IntegerOr("k", values.shape().dim(last)));
  RETURN_IF_ERROR(config.BoolOr("largest", true).status());
  if (k < 0 || k > operand.dim(last)) {
    return op.Error(
        absl::StrCat("k: expected 0 to ", operand.dim(last), ", found ", k));
  }
  Dims dims(operand.dims().begin(), operand.dims().end());
  dims.back() = k;
  RETURN_IF_ERROR(CheckResult(op, 0, operand.element_type(), dims));
  return CheckResult(op, 1, ElementType::kS32, dims);
}

absl::Status EvaluateTopK(EvaluationContext&, const Op& op,
                          absl::Span<const LiteralView> operands,
                          absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const bool is_largest,
                   CallConfig(op).BoolOr("largest", true));
  SelectTop(operands[0], is_largest ? TopOrder::kLargest : TopOrder::kSmallest,
            results[0], results[1]);
  return absl::OkStatus();
}

// mhlo.topk: chlo.top_k, as artifacts have it.
//   (operand) -> (values, indices); k, largest
void AddTopK(CustomCallTargets& targets) {
  targets.Add("mhlo.topk", {.check = CheckTopK, .evaluate = EvaluateTopK});
}

REGISTER_CUSTOM_CALL_TARGETS(AddTopK);

}  // namespace
}  // namespace lockstep::internal
