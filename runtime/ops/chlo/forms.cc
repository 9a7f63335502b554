#include "runtime/ops/chlo/forms.h"

#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::Status ParseArrow(AssemblyReader& reader, OpState& state, int count) {
  RETURN_IF_ERROR(ParseOperands(reader, state, count));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  if (reader.Peek(":")) {
    RETURN_IF_ERROR(reader.Expect(":"));
  } else {
    return reader.Error("expected ':' and types");
  }
  if (reader.Peek("(")) {
    ASSIGN_OR_RETURN(FunctionType type, ParseFunctionType(reader));
    RETURN_IF_ERROR(CheckOperandTypes(reader, state, type.inputs));
    state.result_types = std::move(type.results);
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const std::vector<Type> types, ParseTypes(reader));
  RETURN_IF_ERROR(CheckOperandTypes(reader, state, types));
  RETURN_IF_ERROR(reader.Expect("->"));
  ASSIGN_OR_RETURN(Type result, reader.ParseType());
  state.result_types = {std::move(result)};
  return absl::OkStatus();
}

void PrintArrow(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteOperands(op.operands());
  writer.WriteAttributes(op.attributes(), {});
  for (int i = 0; i < op.operand_count(); ++i) {
    writer.Write(i == 0 ? " : " : ", ");
    writer.WriteType(op.operand(i)->type());
  }
  writer.Write(" -> ");
  writer.WriteType(op.result()->type());
}

}  // namespace

AssemblyForm ArrowForm(int operand_count) {
  return {[operand_count](AssemblyReader& reader, OpState& state) {
            return ParseArrow(reader, state, operand_count);
          },
          PrintArrow};
}

OpDef::EmitFn EmitComposed(std::function<int(ScalarBuilder&, int)> emit) {
  return [emit = std::move(emit)](ScalarBuilder& builder, const Op&,
                                  absl::Span<const int> x) {
    const ElementType type = builder.TypeOf(x[0]);
    if (ByteSize(type) >= 4) return emit(builder, x[0]);
    const int wide = emit(builder, builder.Convert(ElementType::kF32, x[0]));
    return builder.Convert(type, wide);
  };
}

bool HasFloatOperand(const Op& op) {
  return IsFloat(op.operand(0)->shape().element_type());
}

}  // namespace lockstep::internal
