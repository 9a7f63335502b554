#include <vector>

#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"

namespace lockstep::internal {
namespace {

// Those of func and sdy have attributes in front, that of stablehlo behind the
// values; both are read.
absl::Status ParseReturn(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  if (!reader.PeekOperand()) return absl::OkStatus();
  do {
    ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
    state.operands.push_back(operand);
  } while (reader.TryConsume(","));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  RETURN_IF_ERROR(reader.Expect(":"));
  ASSIGN_OR_RETURN(const std::vector<Type> types, ParseTypes(reader));
  return CheckOperandTypes(reader, state, types);
}

void PrintReturn(const Op& op, AssemblyWriter& writer) {
  const bool is_behind = op.name() == "stablehlo.return";
  if (!is_behind) writer.WriteAttributes(op.attributes(), {});
  if (op.operand_count() > 0) writer.Write(" ");
  writer.WriteOperands(op.operands());
  if (is_behind) writer.WriteAttributes(op.attributes(), {});
  for (int i = 0; i < op.operand_count(); ++i) {
    writer.Write(i == 0 ? " : " : ", ");
    writer.WriteType(op.operand(i)->type());
  }
}

absl::StatusOr<std::vector<Type>> InferNothing(const Op&) {
  return std::vector<Type>{};
}

// The end of a region or function; what encloses it checks the types. Whoever
// runs the region reads the operands, so there is nothing to evaluate.
OpDef Return(std::string name) {
  return OpDef(std::move(name), OpKind::kTerminator)
      .Assembly({ParseReturn, PrintReturn})
      .Infer(InferNothing);
}

REGISTER_OP(Return("stablehlo.return"));
REGISTER_OP(Return("func.return"));
REGISTER_OP(Return("sdy.return"));

}  // namespace
}  // namespace lockstep::internal
