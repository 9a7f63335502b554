#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/element_types.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/evaluation/top_elements.h"
#include "runtime/ops/sharding/top_k_sharding.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferTopK(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 1));
  RETURN_IF_ERROR(
      CheckElementType(op, 0, kPredTypes | kIntegerTypes | kFloatTypes));
  const Shape& operand = op.operand(0)->shape();
  ASSIGN_OR_RETURN(const int64_t k, op.IntegerAttribute("k"));
  if (operand.rank() < 1) return op.Error("operand: expected rank 1 or more");
  if (k < 0 || k > operand.dim(operand.rank() - 1)) {
    return op.Error(absl::StrCat(
        "k: expected 0 to ", operand.dim(operand.rank() - 1), ", found ", k));
  }
  Dims dims(operand.dims().begin(), operand.dims().end());
  dims.back() = k;
  ASSIGN_OR_RETURN(Shape indices, ResultShape(op, ElementType::kS32, dims));
  return std::vector<Type>{Shape(operand.element_type(), dims),
                           std::move(indices)};
}

absl::Status EvaluateTopK(EvaluationContext&, const Op&,
                          absl::Span<const LiteralView> operands,
                          absl::Span<const MutableLiteralView> results) {
  SelectTop(operands[0], TopOrder::kLargest, results[0], results[1]);
  return absl::OkStatus();
}

// "(%a, k = 2, is_stable = true) : T -> (U, V)".
absl::Status ParseTopK(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(reader.Expect("("));
  RETURN_IF_ERROR(ParseOperands(reader, state, 1));
  for (const char* token : {",", "k", "="}) {
    RETURN_IF_ERROR(reader.Expect(token));
  }
  ASSIGN_OR_RETURN(const int64_t k, reader.ParseInteger());
  state.attributes.Set("k", Attribute::I64(k));
  if (reader.TryConsume(",")) {
    RETURN_IF_ERROR(reader.Expect("is_stable"));
    RETURN_IF_ERROR(reader.Expect("="));
    ASSIGN_OR_RETURN(Attribute is_stable, reader.ParseAttribute());
    state.attributes.Set("is_stable", std::move(is_stable));
  }
  RETURN_IF_ERROR(reader.Expect(")"));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  RETURN_IF_ERROR(reader.Expect(":"));
  ASSIGN_OR_RETURN(const Type operand, reader.ParseType());
  RETURN_IF_ERROR(CheckOperandTypes(reader, state, {operand}));
  for (const char* token : {"->", "("}) RETURN_IF_ERROR(reader.Expect(token));
  ASSIGN_OR_RETURN(state.result_types, ParseTypes(reader));
  return reader.Expect(")");
}

void PrintTopK(const Op& op, AssemblyWriter& writer) {
  writer.Write("(");
  writer.WriteOperands(op.operands());
  writer.Write(
      absl::StrCat(", k = ", op.IntegerAttributeOr("k", 0).value_or(0)));
  if (const Attribute* is_stable = op.attribute("is_stable")) {
    writer.Write(", is_stable = ");
    writer.WriteAttribute(*is_stable);
  }
  writer.Write(")");
  writer.WriteAttributes(op.attributes(), {"k", "is_stable"});
  writer.Write(" : ");
  writer.WriteType(op.operand(0)->type());
  writer.Write(" -> (");
  writer.WriteType(op.result(0)->type());
  writer.Write(", ");
  writer.WriteType(op.result(1)->type());
  writer.Write(")");
}

absl::StatusOr<OpShardingRule> TopKRule(const Op& op,
                                        const ShardingRuleOptions&) {
  return TopKSharding(op);
}

// top_k: the k largest elements along the last dim, largest first, and their
// indices; of equal elements the first ones. NaN is larger than all numbers.
//   (I1) operand: i1, integer or float tensor. (I2) k.
REGISTER_OP(OpDef("chlo.top_k", OpKind::kSort)
                .Assembly({ParseTopK, PrintTopK})
                .Infer(InferTopK)
                .Evaluate(EvaluateTopK)
                .Sharding(TopKRule));

}  // namespace
}  // namespace lockstep::internal
