#include <complex>
#include <utility>
#include <vector>

#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/elementwise.h"

namespace lockstep::internal {
namespace {

constexpr ElementTypes kPartTypes =
    OneType(ElementType::kF32) | OneType(ElementType::kF64);

absl::StatusOr<std::vector<Type>> InferComplex(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 2));
  RETURN_IF_ERROR(CheckElementType(op, 0, kPartTypes));
  RETURN_IF_ERROR(CheckSameType(op, 0, 1));  // (C1)
  const Shape& part = op.operand(0)->shape();
  const bool is_single = part.element_type() == ElementType::kF32;
  ASSIGN_OR_RETURN(
      Shape shape,
      ResultShape(op, is_single ? ElementType::kC64 : ElementType::kC128,
                  part.dims()));
  return std::vector<Type>{std::move(shape)};
}

absl::Status EvaluateComplex(EvaluationContext&, const Op& op,
                             absl::Span<const LiteralView> operands,
                             absl::Span<const MutableLiteralView> results) {
  return DispatchTypes<kPartTypes>(
      op, operands[0].shape().element_type(),
      [&]<typename T>(std::type_identity<T>) {
        const auto real = operands[0].data<T>();
        const auto imaginary = operands[1].data<T>();
        const auto result = results[0].data<std::complex<T>>();
        for (size_t i = 0; i < real.size(); ++i) {
          result[i] = {real[i], imaginary[i]};
        }
      });
}

// The one written type is the result's.
absl::Status ParseComplex(AssemblyReader& reader, OpState& state) {
  RETURN_IF_ERROR(ParseOperands(reader, state, 2));
  RETURN_IF_ERROR(reader.ParseOptionalAttributes(state.attributes));
  RETURN_IF_ERROR(reader.Expect(":"));
  if (reader.Peek("(")) {
    ASSIGN_OR_RETURN(FunctionType type, ParseFunctionType(reader));
    RETURN_IF_ERROR(CheckOperandTypes(reader, state, type.inputs));
    state.result_types = std::move(type.results);
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(Type type, reader.ParseType());
  state.result_types = {std::move(type)};
  return absl::OkStatus();
}

void PrintComplex(const Op& op, AssemblyWriter& writer) {
  writer.Write(" ");
  writer.WriteOperands(op.operands());
  writer.WriteAttributes(op.attributes(), {});
  writer.Write(" : ");
  writer.WriteType(op.result()->type());
}

// complex: element-wise complex number of a real and an imaginary part.
//   (I1, I2) lhs, rhs: f32 or f64 tensors of one type. (C2, C3) the result has
//   their shape.
REGISTER_OP(OpDef("stablehlo.complex", OpKind::kElementwise)
                .Assembly({ParseComplex, PrintComplex})
                .Infer(InferComplex)
                .Evaluate(EvaluateComplex)
                .Sharding(PointwiseSharding())
                .Emit(EmitBinary(BinaryScalarOp::kComplex)));

}  // namespace
}  // namespace lockstep::internal
