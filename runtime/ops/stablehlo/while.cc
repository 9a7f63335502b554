#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/checks/region_checks.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferWhile(const Op& op) {
  RETURN_IF_ERROR(CheckRegionCount(op, 2));
  const std::vector<Type> types = OperandTypes(op);
  const Type pred = Shape(ElementType::kPred, {});
  RETURN_IF_ERROR(CheckRegionArguments(op, "cond", op.region(0), types));
  RETURN_IF_ERROR(CheckRegionResults(op, "cond", op.region(0), {pred}));
  RETURN_IF_ERROR(CheckRegionArguments(op, "body", op.region(1), types));
  RETURN_IF_ERROR(CheckRegionResults(op, "body", op.region(1), types));
  return types;  // (C3)
}

std::vector<LiteralView> ViewsOf(absl::Span<const MutableLiteralView> views) {
  return {views.begin(), views.end()};
}

// The state alternates between the results and buffers of its own.
absl::Status EvaluateWhile(EvaluationContext& context, const Op& op,
                           absl::Span<const LiteralView> operands,
                           absl::Span<const MutableLiteralView> results) {
  std::vector<Literal> spare;
  for (const MutableLiteralView& result : results) {
    spare.emplace_back(result.shape());
  }
  std::vector<MutableLiteralView> next(results.begin(), results.end());
  std::vector<MutableLiteralView> other;
  for (Literal& literal : spare) other.push_back(literal.mutable_view());
  std::vector<LiteralView> state(operands.begin(), operands.end());
  Literal go_on(Shape(ElementType::kPred, {}));
  while (true) {
    RETURN_IF_ERROR(
        context.RunRegion(op.region(0), state, {go_on.mutable_view()}));
    if (!go_on.data<bool>()[0]) break;
    RETURN_IF_ERROR(context.RunRegion(op.region(1), state, next));
    state = ViewsOf(next);
    std::swap(next, other);
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (state[i].bytes() == results[i].bytes()) continue;
    std::memcpy(results[i].bytes(), state[i].bytes(),
                results[i].byte_span().size());
  }
  return absl::OkStatus();
}

// "(%x = %a, %y = %b) : T, U"; the names are the arguments of both regions.
absl::Status ParseState(AssemblyReader& reader, OpState& state,
                        std::vector<std::pair<std::string, Type>>& arguments) {
  RETURN_IF_ERROR(reader.Expect("("));
  if (reader.TryConsume(")")) return absl::OkStatus();
  std::vector<std::string> names;
  do {
    ASSIGN_OR_RETURN(std::string name, reader.ParseValueName());
    names.push_back(std::move(name));
    RETURN_IF_ERROR(reader.Expect("="));
    ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
    state.operands.push_back(operand);
  } while (reader.TryConsume(","));
  RETURN_IF_ERROR(reader.Expect(")"));
  RETURN_IF_ERROR(reader.Expect(":"));
  ASSIGN_OR_RETURN(state.result_types, ParseTypes(reader));
  RETURN_IF_ERROR(CheckOperandTypes(reader, state, state.result_types));
  for (size_t i = 0; i < names.size(); ++i) {
    arguments.emplace_back(std::move(names[i]), state.result_types[i]);
  }
  return absl::OkStatus();
}

absl::Status ParseWhile(AssemblyReader& reader, OpState& state) {
  std::vector<std::pair<std::string, Type>> arguments;
  RETURN_IF_ERROR(ParseState(reader, state, arguments));
  if (reader.TryConsume("attributes")) {
    RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  }
  for (const char* name : {"cond", "do"}) {
    RETURN_IF_ERROR(reader.Expect(name));
    ASSIGN_OR_RETURN(std::unique_ptr<Region> region,
                     reader.ParseRegion(arguments));
    state.regions.push_back(std::move(region));
  }
  return absl::OkStatus();
}

void PrintWhile(const Op& op, AssemblyWriter& writer) {
  // One list of names serves both regions.
  writer.Write("(");
  for (int i = 0; i < op.operand_count(); ++i) {
    if (i > 0) writer.Write(", ");
    writer.WriteOperand(op.region(0).arguments()[i].get());
    writer.Write(" = ");
    writer.WriteOperand(op.operand(i));
  }
  writer.Write(")");
  for (int i = 0; i < op.operand_count(); ++i) {
    writer.Write(i == 0 ? " : " : ", ");
    writer.WriteType(op.operand(i)->type());
  }
  if (!op.attributes().empty()) {
    writer.Write(" attributes");
    writer.WriteAttributes(op.attributes(), {});
  }
  writer.Write(" cond ");
  writer.WriteRegion(op.region(0));
  writer.Write(" do ");
  writer.WriteRegion(op.region(1));
}

// while: runs body on its own results as long as cond holds; zero times when it
// does not hold at first.
//   (I1) operand: any number of values. (I2) cond. (I3) body.
//   (C1) cond: (T..) -> tensor<i1>. (C2) body: (T..) -> (T..).
REGISTER_OP(OpDef("stablehlo.while", OpKind::kControlFlow)
                .Assembly({ParseWhile, PrintWhile})
                .ArgumentName("iterArg")
                .Infer(InferWhile)
                .Evaluate(EvaluateWhile));

}  // namespace
}  // namespace lockstep::internal
