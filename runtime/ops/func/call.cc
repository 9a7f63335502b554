#include <string>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::string> CalleeOf(const Op& op) {
  const Attribute* callee = op.attribute("callee");
  const auto* symbol =
      callee == nullptr ? nullptr : callee->As<Attribute::Symbol>();
  if (symbol == nullptr) return op.Error("callee: expected @function");
  return symbol->name;
}

absl::Status VerifyCall(const Op& op) { return CalleeOf(op).status(); }

absl::Status EvaluateCall(EvaluationContext& context, const Op& op,
                          absl::Span<const LiteralView> operands,
                          absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const std::string callee, CalleeOf(op));
  return context.RunFunction(callee, operands, results);
}

absl::Status ParseCall(AssemblyReader& reader, OpState& state) {
  ASSIGN_OR_RETURN(std::string callee, reader.ParseSymbol());
  state.attributes.Set("callee", Attribute::Symbol{std::move(callee)});
  RETURN_IF_ERROR(ParseOperandsInParens(reader, state));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  return ParseColonFunctionType(reader, state);
}

void PrintCall(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteAttribute(*op.attribute("callee"));
  writer.Write("(");
  writer.WriteOperands(op.operands());
  writer.Write(")");
  writer.WriteAttributes(op.attributes(), {"callee"});
  writer.Write(" : ");
  writer.WriteFunctionType(op);
}

// call: runs a function of the module. The verifier checks operands and
// results against the function's.
REGISTER_OP(OpDef("func.call", OpKind::kControlFlow)
                .Assembly({ParseCall, PrintCall})
                .Verify(VerifyCall)
                .Evaluate(EvaluateCall));

}  // namespace
}  // namespace lockstep::internal
