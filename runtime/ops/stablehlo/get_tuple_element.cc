#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/assembly/assembly_forms.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/ops/tuple_element.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferGetTupleElement(const Op& op) {
  if (op.operand_count() != 1 ||
      op.operand(0)->type().kind() != Type::Kind::kTuple) {
    return op.Error("expected a tuple");
  }
  const std::vector<Type>& elements = op.operand(0)->type().elements();
  ASSIGN_OR_RETURN(const int64_t index, op.IntegerAttribute("index"));
  if (index < 0 || index >= static_cast<int64_t>(elements.size())) {  // (C1)
    return op.Error(absl::StrCat("index: expected 0 to ", elements.size(),
                                 " - 1, found ", index));
  }
  return std::vector<Type>{elements[index]};  // (C2)
}

absl::Status EvaluateGetTupleElement(EvaluationContext&, const Op& op,
                                     absl::Span<const LiteralView>,
                                     absl::Span<const MutableLiteralView>) {
  return op.Unimplemented("a tuple has no memory to take it from");
}

// "%t[0] : (tuple<..>) -> T".
absl::Status ParseGetTupleElement(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(ParseOperands(reader, state, 1));
  RETURN_IF_ERROR(reader.Expect("["));
  ASSIGN_OR_RETURN(const int64_t index, reader.ParseInteger());
  RETURN_IF_ERROR(reader.Expect("]"));
  state.attributes.Set("index", Attribute::I32(static_cast<int32_t>(index)));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  return ParseColonFunctionType(reader, state);
}

void PrintGetTupleElement(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteOperands(op.operands());
  writer.Write(
      absl::StrCat("[", op.IntegerAttributeOr("index", 0).value_or(0), "]"));
  writer.WriteAttributes(op.attributes(), {"index"});
  writer.Write(" : ");
  writer.WriteFunctionType(op);
}

// get_tuple_element: one value of a tuple.
//   (I1) operand: a tuple. (I2) index.
REGISTER_OP(OpDef("stablehlo.get_tuple_element", OpKind::kTuple)
                .Assembly({ParseGetTupleElement, PrintGetTupleElement})
                .Infer(InferGetTupleElement)
                .Evaluate(EvaluateGetTupleElement));

}  // namespace

absl::StatusOr<const Value*> TupleElement(const Op& op) {
  // Indices still to take, the last one first.
  std::vector<int64_t> indices;
  const Value* value = op.result();
  while (true) {
    const Op* producer = value->defining_op();
    if (producer != nullptr &&
        producer->name() == "stablehlo.get_tuple_element") {
      ASSIGN_OR_RETURN(const int64_t index,
                       producer->IntegerAttribute("index"));
      indices.push_back(index);
      value = producer->operand(0);
    } else if (indices.empty()) {
      return value;
    } else if (producer != nullptr && producer->name() == "stablehlo.tuple") {
      value = producer->operand(static_cast<int>(indices.back()));
      indices.pop_back();
    } else {
      return op.Unimplemented(
          "a tuple that no stablehlo.tuple of this function makes");
    }
  }
}

}  // namespace lockstep::internal
