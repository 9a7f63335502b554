#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/checks/region_checks.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/sdy/region_form.h"

namespace lockstep::internal {
namespace {

absl::Status CheckShardings(const Op& op, absl::string_view name,
                            size_t count) {
  if (op.attribute(name) == nullptr) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::vector<TensorSharding> shardings,
                   ShardingsAttribute(op, name));
  if (shardings.size() == count) return absl::OkStatus();
  return op.Error(absl::StrCat(name, ": expected ", count, " shardings, found ",
                               shardings.size()));
}

absl::StatusOr<std::vector<Type>> InferNamed(const Op& op) {
  RETURN_IF_ERROR(CheckRegionCount(op, 1));
  RETURN_IF_ERROR(
      CheckRegionArguments(op, "body", op.region(), OperandTypes(op)));
  ASSIGN_OR_RETURN(std::vector<Type> types, ReturnedTypes(op, op.region()));
  RETURN_IF_ERROR(CheckShardings(op, "in_shardings", op.operands().size()));
  RETURN_IF_ERROR(CheckShardings(op, "out_shardings", types.size()));
  return types;
}

absl::Status EvaluateNamed(EvaluationContext& context, const Op& op,
                           absl::Span<const LiteralView> operands,
                           absl::Span<const MutableLiteralView> results) {
  return context.RunRegion(op.region(), operands, results);
}

absl::Status ParseNamed(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(reader.Expect("<"));
  ASSIGN_OR_RETURN(std::string name, reader.ParseString());
  state.attributes.Set("name", Attribute::String{std::move(name)});
  RETURN_IF_ERROR(reader.Expect(">"));
  RETURN_IF_ERROR(ParseOperandsInParens(reader, state));
  for (const char* shardings : {"in_shardings", "out_shardings"}) {
    if (!reader.Peek(shardings)) continue;
    RETURN_IF_ERROR(ReadNamedShardings(reader, shardings, state));
  }
  return ReadBody(reader, state);
}

void PrintNamed(const Op& op, AssemblyWriter& writer) {
  const auto* name = op.attribute("name")->As<Attribute::String>();
  writer.Write("<");
  writer.WriteAttribute(*name);
  writer.Write(">(");
  writer.WriteOperands(op.operands());
  writer.Write(") ");
  for (const char* shardings : {"in_shardings", "out_shardings"}) {
    if (op.attribute(shardings) != nullptr) {
      WriteNamedShardings(op, shardings, writer);
    }
  }
  WriteBody(op, {"name", "in_shardings", "out_shardings"}, writer);
}

// named_computation: its body; what was a call of the function `name`.
//   name. in_shardings, out_shardings: may be missing.
REGISTER_OP(OpDef("sdy.named_computation", OpKind::kControlFlow)
                .Assembly({ParseNamed, PrintNamed})
                .Infer(InferNamed)
                .Evaluate(EvaluateNamed));

}  // namespace
}  // namespace lockstep::internal
