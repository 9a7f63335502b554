#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/op_expansion.h"
#include "runtime/types/strided_copy.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<const Attribute::Elements*> ValueOf(const Op& op) {
  const Attribute* value = op.attribute("value");
  if (value == nullptr) return op.Error("expected value, found none");
  const auto* elements = value->As<Attribute::Elements>();
  if (elements == nullptr) {
    return op.Error("value: expected dense<..> : tensor<..>");
  }
  return elements;
}

absl::StatusOr<std::vector<Type>> InferConstant(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 0));
  ASSIGN_OR_RETURN(const Attribute::Elements* value, ValueOf(op));
  return std::vector<Type>{value->shape};
}

absl::Status EvaluateConstant(EvaluationContext&, const Op& op,
                              absl::Span<const LiteralView>,
                              absl::Span<const MutableLiteralView> results) {
  ASSIGN_OR_RETURN(const Attribute::Elements* value, ValueOf(op));
  const MutableLiteralView& result = results[0];
  if (value->is_splat) {
    FillElements(ByteSize(value->shape.element_type()), value->values->bytes(),
                 result.bytes(), result.shape().element_count());
  } else {
    std::memcpy(result.bytes(), value->values->bytes(),
                result.byte_span().size());
  }
  return absl::OkStatus();
}

absl::Status ParseConstant(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  ASSIGN_OR_RETURN(Attribute value, reader.ParseAttribute());
  const auto* elements = value.As<Attribute::Elements>();
  if (elements == nullptr) {
    return reader.Error("expected dense<..> : tensor<..>");
  }
  state.result_types = {elements->shape};
  state.attributes.Set("value", std::move(value));
  return absl::OkStatus();
}

void PrintConstant(const Op& op, AssemblyWriter& writer) {
  writer.WriteAttributes(op.attributes(), {"value"});
  writer.Write(" ");
  writer.WriteAttribute(*op.attribute("value"));
}

// As MLIR names them.
absl::string_view NameOfConstant(const Op& op) {
  const ElementType type = op.result()->shape().element_type();
  return IsInteger(type) || type == ElementType::kPred ? "c" : "cst";
}

// constant: a tensor known at compile time.
//   (I1) value. (C1) the result has its type.
REGISTER_OP(OpDef("stablehlo.constant", OpKind::kConstant)
                .Assembly({ParseConstant, PrintConstant})
                .ResultName(NameOfConstant)
                .Infer(InferConstant)
                .Evaluate(EvaluateConstant));

absl::StatusOr<std::vector<Value*>> ExpandConstant(const Op& op,
                                                   ExpansionBuilder& builder) {
  return std::vector<Value*>{builder.Create(
      "stablehlo.constant", {}, op.result()->type(), op.attributes())};
}

// chlo.constant: the same.
REGISTER_EXPANDED_OP(OpDef("chlo.constant", OpKind::kConstant)
                         .Assembly({ParseConstant, PrintConstant})
                         .Infer(InferConstant),
                     ExpandConstant);

// sdy.constant: the same; Shardy writes it where constants must not be merged.
REGISTER_EXPANDED_OP(OpDef("sdy.constant", OpKind::kConstant)
                         .Assembly({ParseConstant, PrintConstant})
                         .Infer(InferConstant),
                     ExpandConstant);

}  // namespace
}  // namespace lockstep::internal
