#include <string>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::string> DecompositionOf(const Op& op) {
  const Attribute* decomposition = op.attribute("decomposition");
  const auto* symbol = decomposition == nullptr
                           ? nullptr
                           : decomposition->As<Attribute::Symbol>();
  if (symbol == nullptr) return op.Error("decomposition: expected @function");
  return symbol->name;
}

absl::Status VerifyComposite(const Op& op) {
  const Attribute* name = op.attribute("name");
  if (name == nullptr || name->As<Attribute::String>() == nullptr) {
    return op.Error("name: expected a string");
  }
  return DecompositionOf(op).status();
}

absl::Status EvaluateComposite(EvaluationContext& context, const Op& op,
                               absl::Span<const LiteralView> operands,
                               absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const std::string function, DecompositionOf(op));
  return context.RunFunction(function, operands, results);
}

// "\"my.gelu\" %a, %b {decomposition = @f} : (T, T) -> U".
absl::Status ParseComposite(AssemblyReader& reader, OpState& state) {
  ASSIGN_OR_RETURN(std::string name, reader.ParseString());
  state.attributes.Set("name", Attribute::String{std::move(name)});
  while (reader.PeekOperand()) {
    ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
    state.operands.push_back(operand);
    if (!reader.TryConsume(",")) break;
  }
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  return ParseColonFunctionType(reader, state);
}

void PrintComposite(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteAttribute(*op.attribute("name"));
  if (op.operand_count() > 0) writer.Write(" ");
  writer.WriteOperands(op.operands());
  writer.WriteAttributes(op.attributes(), {"name"});
  writer.Write(" : ");
  writer.WriteFunctionType(op);
}

// composite: an operation made of others, under a name that we do not know: it
// calls its decomposition, which the verifier checks as it does a callee.
//   (I1) inputs. (I2) name. (I3) composite_attributes. (I4) decomposition.
REGISTER_OP(OpDef("stablehlo.composite", OpKind::kControlFlow)
                .Assembly({ParseComposite, PrintComposite})
                .Verify(VerifyComposite)
                .Evaluate(EvaluateComposite));

}  // namespace
}  // namespace lockstep::internal
