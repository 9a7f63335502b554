#include "runtime/ops/custom_call.h"

#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/sharding/custom_call_sharding.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::string> TargetOf(const Op& op) {
  const Attribute* target = op.attribute("call_target_name");
  const auto* name =
      target == nullptr ? nullptr : target->As<Attribute::String>();
  if (name == nullptr) return op.Error("call_target_name: expected a string");
  return name->value;
}

absl::Status VerifyCustomCall(const Op& op) { return TargetOf(op).status(); }

// Annotations of the sharding of a value; they do not change it.
bool IsIdentity(absl::string_view target) {
  return target == "Sharding" || target == "xla.sdy.Sharding" ||
         target == "xla.sdy.FuncResultSharding";
}

absl::Status EvaluateCustomCall(EvaluationContext&, const Op& op,
                                absl::Span<const LiteralView> operands,
                                absl::Span<const MutableLiteralView> results) {
  RETURN_IF_ERROR(CheckCustomCallTarget(op));
  std::memcpy(results[0].bytes(), operands[0].bytes(),
              results[0].byte_span().size());
  return absl::OkStatus();
}

absl::Status ParseCustomCall(AssemblyReader& reader, OpState& state) {
  ASSIGN_OR_RETURN(std::string target, reader.ParseSymbol());
  state.attributes.Set("call_target_name", Attribute::String{target});
  RETURN_IF_ERROR(ParseOperandsInParens(reader, state));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  return ParseColonFunctionType(reader, state);
}

void PrintCustomCall(const Op& op, AssemblyWriter& writer) {
  const auto* target =
      op.attribute("call_target_name")->As<Attribute::String>();
  writer.Write(" ");
  writer.WriteAttribute(Attribute::Symbol{target->value});
  writer.Write("(");
  writer.WriteOperands(op.operands());
  writer.Write(")");
  writer.WriteAttributes(op.attributes(), {"call_target_name"});
  writer.Write(" : ");
  writer.WriteFunctionType(op);
}

// custom_call: an operation that the implementation defines. Any target
// verifies; one that is not known is UNIMPLEMENTED when it would run.
REGISTER_OP(OpDef("stablehlo.custom_call", OpKind::kCustomCall)
                .Assembly({ParseCustomCall, PrintCustomCall})
                .Verify(VerifyCustomCall)
                .Evaluate(EvaluateCustomCall)
                .Sharding(CustomCallSharding()));

}  // namespace

absl::Status CheckCustomCallTarget(const Op& op) {
  if (op.name() != "stablehlo.custom_call") return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::string target, TargetOf(op));
  if (IsIdentity(target) && op.operand_count() == 1 && op.result_count() == 1 &&
      op.operand(0)->type() == op.result()->type()) {
    return absl::OkStatus();
  }
  return op.Unimplemented(absl::StrCat("no target @", target));
}

}  // namespace lockstep::internal
