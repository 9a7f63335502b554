#include "runtime/ops/sdy/all_reduce.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/ops/sdy/sharding_form.h"

namespace lockstep::internal {
namespace {

// What they are called in Shardy, and beyond it the others that reductions
// have.
struct Kind {
  absl::string_view name;
  absl::string_view op;
};
constexpr Kind kKinds[] = {
    {"sum", "stablehlo.add"},     {"max", "stablehlo.maximum"},
    {"min", "stablehlo.minimum"}, {"mul", "stablehlo.multiply"},
    {"and", "stablehlo.and"},     {"or", "stablehlo.or"},
    {"xor", "stablehlo.xor"}};
constexpr absl::string_view kReduction = "reduction";

absl::StatusOr<std::vector<Type>> InferReduction(const Op& op) {
  ASSIGN_OR_RETURN(std::vector<Type> types, InferOperandType(op));
  RETURN_IF_ERROR(ShardingAttribute(op, "out_sharding", types[0]).status());
  const Attribute* axes = op.attribute("reduction_axes");
  if (axes == nullptr || axes->As<Attribute::AxisRefs>() == nullptr) {
    return op.Error("reduction_axes: expected a list of axes");
  }
  RETURN_IF_ERROR(AllReduceCombiner(op).status());
  return types;
}

absl::Status ParseReduction(AssemblyReader& reader, OpState& state) {
  if (!reader.Peek("{")) {
    ASSIGN_OR_RETURN(std::string kind, reader.ParseKeyword());
    state.attributes.Set(kReduction,
                         Attribute::Enum{"reduction", std::move(kind)});
  }
  ASSIGN_OR_RETURN(const std::string text, reader.ParseBrackets());
  absl::StatusOr<std::vector<AxisRef>> axes = ParseSdyAxisRefs(text);
  if (!axes.ok()) return reader.Locate(axes.status());
  state.attributes.Set("reduction_axes", Attribute::AxisRefs{*std::move(axes)});
  ASSIGN_OR_RETURN(Value * operand, reader.ParseOperand());
  state.operands.push_back(operand);
  RETURN_IF_ERROR(reader.Expect("out_sharding"));
  RETURN_IF_ERROR(reader.Expect("="));
  ASSIGN_OR_RETURN(Attribute sharding, ReadSharding(reader));
  state.attributes.Set("out_sharding", std::move(sharding));
  RETURN_IF_ERROR(ReadAttributesAndType(reader, state));
  state.result_types = {operand->type()};
  return absl::OkStatus();
}

void PrintReduction(const Op& op, AssemblyWriter& writer) {
  const auto* axes = op.attribute("reduction_axes")->As<Attribute::AxisRefs>();
  const auto* sharding =
      op.attribute("out_sharding")->As<Attribute::Sharding>();
  if (const Attribute* kind = op.attribute(kReduction)) {
    writer.Write(absl::StrCat(" ", kind->As<Attribute::Enum>()->value));
  }
  writer.Write(absl::StrCat(" {", AxisRefsText(axes->refs), "} "));
  writer.WriteOperand(op.operand(0));
  writer.Write(absl::StrCat(" out_sharding=", ToSdyString(sharding->value)));
  WriteAttributesAndType(op, {"reduction_axes", "out_sharding", kReduction},
                         writer);
}

// all_reduce: the sum (or another reduction) of the partial results that the
// devices along axes have. Whoever computes without shards has one result,
// which is the sum.
//   reduction_axes. out_sharding: that of the result, and of the operand.
//   reduction: sum, which need not be written, max, min, mul, and, or, xor.
REGISTER_OP(OpDef("sdy.all_reduce", OpKind::kSharding)
                .Assembly({ParseReduction, PrintReduction})
                .Infer(InferReduction)
                .Evaluate(EvaluateOperand));

// replicated_to_unreduced: the opposite. The first device along axes keeps the
// value, the others have what adds nothing to it.
REGISTER_OP(OpDef("sdy.replicated_to_unreduced", OpKind::kSharding)
                .Assembly({ParseReduction, PrintReduction})
                .Infer(InferReduction)
                .Evaluate(EvaluateOperand));

}  // namespace

absl::StatusOr<std::string> AllReduceCombiner(const Op& op) {
  ASSIGN_OR_RETURN(const std::string found, op.attribute(kReduction) == nullptr
                                                ? std::string(kKinds[0].name)
                                                : op.EnumAttribute(kReduction));
  for (const Kind& kind : kKinds) {
    if (kind.name == found) return std::string(kind.op);
  }
  return op.Error(absl::StrCat(
      "reduction: expected sum, max, min, mul, and, or, xor, found ", found));
}

void SetAllReduceCombiner(AttributeMap& attributes, absl::string_view op) {
  for (const Kind& kind : kKinds) {
    if (kind.op != op || kind.name == kKinds[0].name) continue;
    attributes.Set(kReduction,
                   Attribute::Enum{"reduction", std::string(kind.name)});
  }
}

}  // namespace lockstep::internal
