#include <cstring>
#include <vector>

#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferOperandTypes(const Op& op) {
  std::vector<Type> types;
  for (const Value* operand : op.operands()) types.push_back(operand->type());
  return types;
}

absl::Status EvaluateIdentity(EvaluationContext&, const Op&,
                              absl::Span<const LiteralView> operands,
                              absl::Span<const MutableLiteralView> results) {
  for (size_t i = 0; i < operands.size(); ++i) {
    std::memcpy(results[i].bytes(), operands[i].bytes(),
                results[i].byte_span().size());
  }
  return absl::OkStatus();
}

absl::Status ParseBarrier(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  if (reader.TryConsume("(")) {
    RETURN_IF_ERROR(reader.Expect(")"));
    return reader.ParseOptionalAttributes(state.attributes);
  }
  do {
    ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
    state.operands.push_back(operand);
  } while (reader.TryConsume(","));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  RETURN_IF_ERROR(reader.Expect(":"));
  ASSIGN_OR_RETURN(std::vector<Type> types, ParseTypes(reader));
  RETURN_IF_ERROR(CheckOperandTypes(reader, state, types));
  state.result_types = std::move(types);
  return absl::OkStatus();
}

void PrintBarrier(const Op& op, AssemblyWriter& writer) {
  writer.WriteAttributes(op.attributes(), {});
  writer.Write(op.operand_count() == 0 ? "()" : " ");
  writer.WriteOperands(op.operands());
  for (int i = 0; i < op.operand_count(); ++i) {
    writer.Write(i == 0 ? " : " : ", ");
    writer.WriteType(op.operand(i)->type());
  }
}

// optimization_barrier: identity that nothing moves across.
//   (I1) operand: any number of values. (C1) the results have their types.
REGISTER_OP(OpDef("stablehlo.optimization_barrier", OpKind::kIdentity)
                .Assembly({ParseBarrier, PrintBarrier})
                .Infer(InferOperandTypes)
                .Evaluate(EvaluateIdentity));

}  // namespace
}  // namespace lockstep::internal
