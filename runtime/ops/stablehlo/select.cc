#include <complex>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferSelect(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 3));
  RETURN_IF_ERROR(CheckElementType(op, 0, kPredTypes));
  RETURN_IF_ERROR(CheckSameType(op, 1, 2));  // (C2)
  const Shape& pred = op.operand(0)->shape();
  const Shape& on_true = op.operand(1)->shape();
  if (pred.rank() != 0 && pred.dims() != on_true.dims()) {  // (C1)
    return op.Error(absl::StrCat("pred: expected a scalar or the shape of ",
                                 on_true.ToString(), ", found ",
                                 pred.ToString()));
  }
  return std::vector<Type>{on_true};
}

template <typename Bytes>
void SelectBytes(absl::Span<const LiteralView> operands,
                 const MutableLiteralView& result) {
  const bool* pred = operands[0].data<bool>().data();
  const int64_t step = operands[0].shape().rank() == 0 ? 0 : 1;
  const auto* on_true = reinterpret_cast<const Bytes*>(operands[1].bytes());
  const auto* on_false = reinterpret_cast<const Bytes*>(operands[2].bytes());
  auto* y = reinterpret_cast<Bytes*>(result.bytes());
  const int64_t n = result.shape().element_count();
  for (int64_t i = 0; i < n; ++i) {
    y[i] = pred[i * step] ? on_true[i] : on_false[i];
  }
}

// Only the size of the elements matters.
absl::Status EvaluateSelect(EvaluationContext&, const Op&,
                            absl::Span<const LiteralView> operands,
                            absl::Span<const MutableLiteralView> results) {
  switch (ByteSize(results[0].shape().element_type())) {
    case 1:
      SelectBytes<uint8_t>(operands, results[0]);
      break;
    case 2:
      SelectBytes<uint16_t>(operands, results[0]);
      break;
    case 4:
      SelectBytes<uint32_t>(operands, results[0]);
      break;
    case 8:
      SelectBytes<uint64_t>(operands, results[0]);
      break;
    default:
      SelectBytes<std::complex<double>>(operands, results[0]);
  }
  return absl::OkStatus();
}

absl::Status ParseSelect(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(ParseOperands(reader, state, 3));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  RETURN_IF_ERROR(reader.Expect(":"));
  FunctionType type;
  if (reader.Peek("(")) {
    ASSIGN_OR_RETURN(type, ParseFunctionType(reader));
  } else {
    ASSIGN_OR_RETURN(const Type pred, reader.ParseType());
    RETURN_IF_ERROR(reader.Expect(","));
    ASSIGN_OR_RETURN(const Type result, reader.ParseType());
    type = {{pred, result, result}, {result}};
  }
  RETURN_IF_ERROR(CheckOperandTypes(reader, state, type.inputs));
  state.result_types = std::move(type.results);
  return absl::OkStatus();
}

void PrintSelect(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteOperands(op.operands());
  writer.WriteAttributes(op.attributes(), {});
  writer.Write(" : ");
  if (op.operand(1)->type() == op.result()->type() &&
      op.operand(2)->type() == op.result()->type()) {
    writer.WriteType(op.operand(0)->type());
    writer.Write(", ");
    writer.WriteType(op.result()->type());
  } else {
    writer.WriteFunctionType(op);
  }
}

// select: element-wise on_true where pred holds, else on_false. A scalar pred
// applies to all elements.
//   (I1) pred: i1 tensor. (I2, I3) on_true, on_false: tensors of the result's
//   type.
REGISTER_OP(OpDef("stablehlo.select", OpKind::kElementwise)
                .Assembly({ParseSelect, PrintSelect})
                .Infer(InferSelect)
                .Evaluate(EvaluateSelect)
                .Sharding(PointwiseSharding())
                .Emit([](ScalarBuilder& b, const Op&, absl::Span<const int> x) {
                  return b.Select(x[0], x[1], x[2]);
                }));

}  // namespace
}  // namespace lockstep::internal
