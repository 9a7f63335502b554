#include <vector>

#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferId(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 0));
  return std::vector<Type>{Shape(ElementType::kU32, {})};
}

absl::Status EvaluateId(EvaluationContext& context, const Op&,
                        absl::Span<const LiteralView>,
                        absl::Span<const MutableLiteralView> results) {
  results[0].data<uint32_t>()[0] = context.partition_id();
  return absl::OkStatus();
}

// partition_id: the partition that this copy of the program is, as a ui32
// scalar.
REGISTER_OP(OpDef("stablehlo.partition_id", OpKind::kPlace)
                .Assembly(ClausesForm(0, {}, WrittenTypes::kResult))
                .Infer(InferId)
                .Evaluate(EvaluateId));

}  // namespace
}  // namespace lockstep::internal
