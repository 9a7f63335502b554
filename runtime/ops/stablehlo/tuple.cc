#include <vector>

#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/region_checks.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferTuple(const Op& op) {
  return std::vector<Type>{Type::Tuple(OperandTypes(op))};  // (C1)
}

absl::Status EvaluateTuple(EvaluationContext&, const Op&,
                           absl::Span<const LiteralView>,
                           absl::Span<const MutableLiteralView>) {
  return absl::OkStatus();
}

// "%a, %b : tuple<T, U>".
absl::Status ParseTuple(AssemblyReader& reader, OpState& state) {
  while (reader.PeekOperand()) {
    ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
    state.operands.push_back(operand);
    if (!reader.TryConsume(",")) break;
  }
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  RETURN_IF_ERROR(reader.Expect(":"));
  ASSIGN_OR_RETURN(Type type, reader.ParseType());
  state.result_types = {std::move(type)};
  return absl::OkStatus();
}

void PrintTuple(const Op& op, AssemblyWriter& writer) {
  if (op.operand_count() > 0) writer.Write(" ");
  writer.WriteOperands(op.operands());
  writer.WriteAttributes(op.attributes(), {});
  writer.Write(" : ");
  writer.WriteType(op.result()->type());
}

// tuple: several values as one. Has no memory: see TupleElement.
//   (I1) val: any number of values.
REGISTER_OP(OpDef("stablehlo.tuple", OpKind::kTuple)
                .Assembly({ParseTuple, PrintTuple})
                .Infer(InferTuple)
                .Evaluate(EvaluateTuple));

absl::StatusOr<std::vector<Type>> InferToken(const Op& op) {
  for (const Value* operand : op.operands()) {
    if (operand->type() != Type::Token()) return op.Error("expected tokens");
  }
  return std::vector<Type>{Type::Token()};
}

// after_all: a token that comes after others. Tokens have no memory; ops run in
// the order of the program anyway.
//   (I1) inputs: tokens.
REGISTER_OP(OpDef("stablehlo.after_all", OpKind::kTuple)
                .Assembly({ParseTuple, PrintTuple})
                .Infer(InferToken)
                .Evaluate(EvaluateTuple));

// create_token: as after_all of none.
REGISTER_OP(OpDef("stablehlo.create_token", OpKind::kTuple)
                .Assembly({ParseTuple, PrintTuple})
                .Infer(InferToken)
                .Evaluate(EvaluateTuple));

}  // namespace
}  // namespace lockstep::internal
