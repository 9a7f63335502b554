#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/sdy/sharding_form.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferNothing(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  RETURN_IF_ERROR(op.IntegerAttribute("group_id").status());
  return std::vector<Type>{};
}

absl::Status EvaluateNothing(EvaluationContext&, const Op&,
                             absl::Span<const LiteralView>,
                             absl::Span<const MutableLiteralView>) {
  return absl::OkStatus();
}

absl::Status ParseGroup(AssemblyReader& reader, OpState& state) {
  ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
  state.operands.push_back(operand);
  RETURN_IF_ERROR(reader.Expect("group_id"));
  RETURN_IF_ERROR(reader.Expect("="));
  ASSIGN_OR_RETURN(const int64_t id, reader.ParseInteger());
  state.attributes.Set("group_id", Attribute::I64(id));
  return ReadAttributesAndType(reader, state);
}

void PrintGroup(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteOperand(op.operand(0));
  writer.Write(absl::StrCat(" group_id=", *op.IntegerAttribute("group_id")));
  WriteAttributesAndType(op, {"group_id"}, writer);
}

// sharding_group: the values of a group have one sharding.
//   group_id.
REGISTER_OP(OpDef("sdy.sharding_group", OpKind::kSharding)
                .Assembly({ParseGroup, PrintGroup})
                .Infer(InferNothing)
                .Evaluate(EvaluateNothing));

}  // namespace
}  // namespace lockstep::internal
