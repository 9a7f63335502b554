#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"

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
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  RETURN_IF_ERROR(reader.Expect(":"));
  return reader.ParseTypeOf(operand);
}

void PrintGroup(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteOperand(op.operand(0));
  writer.Write(absl::StrCat(" group_id=", *op.IntegerAttribute("group_id")));
  writer.WriteAttributes(op.attributes(), {"group_id"});
  writer.Write(" : ");
  writer.WriteType(op.operand(0)->type());
}

// sharding_group: the values of a group have one sharding.
//   group_id.
REGISTER_OP(OpDef("sdy.sharding_group", OpKind::kIdentity)
                .Assembly({ParseGroup, PrintGroup})
                .Infer(InferNothing)
                .Evaluate(EvaluateNothing));

}  // namespace
}  // namespace lockstep::internal
