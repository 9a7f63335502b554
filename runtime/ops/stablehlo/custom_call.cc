#include "runtime/ops/custom_call.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/custom_calls/custom_call_target.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/sharding/custom_call_sharding.h"

namespace lockstep::internal {
namespace {

// Calls of functions that live in the process of Python that exported the
// program: pure_callback, io_callback, debug.callback, debug.print.
bool IsPythonCallback(absl::string_view target) {
  return absl::StrContains(target, "python_cpu_callback") ||
         absl::StrContains(target, "python_gpu_callback");
}

absl::Status VerifyCustomCall(const Op& op) {
  const Attribute* attribute = op.attribute("call_target_name");
  const auto* target =
      attribute == nullptr ? nullptr : attribute->As<Attribute::String>();
  if (target == nullptr) {
    return op.Error("call_target_name: expected a string");
  }
  if (!IsPythonCallback(target->value)) return absl::OkStatus();
  return op.Unimplemented(absl::StrCat(
      "no target @", target->value,
      ": it calls a function of the Python process that exported the program, "
      "which is not here; return the values as results instead, or trace the "
      "program with lockstep, whose pure_callback, io_callback, debug_callback "
      "and debug_print call functions of the host "
      "(client/tracer/callbacks.h)"));
}

absl::Status EvaluateCustomCall(EvaluationContext& context, const Op& op,
                                absl::Span<const LiteralView> operands,
                                absl::Span<const MutableLiteralView> results) {
  RETURN_IF_ERROR(CheckCustomCallTarget(op));
  return FindCustomCallTarget(op)->evaluate(context, op, operands, results);
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
// verifies, but those of Python's callbacks; one that is not known is
// UNIMPLEMENTED when it would run.
REGISTER_OP(OpDef("stablehlo.custom_call", OpKind::kCustomCall)
                .Assembly({ParseCustomCall, PrintCustomCall})
                .Verify(VerifyCustomCall)
                .Evaluate(EvaluateCustomCall)
                .Sharding(CustomCallSharding()));

}  // namespace

absl::Status CheckCustomCallTarget(const Op& op) {
  if (op.name() != "stablehlo.custom_call") return absl::OkStatus();
  const CustomCallTarget* target = FindCustomCallTarget(op);
  if (target != nullptr) return target->check(op);
  return op.Unimplemented(
      absl::StrCat("no target @", CustomCallTargetName(op)));
}

}  // namespace lockstep::internal
