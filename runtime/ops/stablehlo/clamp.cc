#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

absl::Status CheckBound(const Op& op, int bound) {
  const Shape& shape = op.operand(bound)->shape();
  const Shape& operand = op.operand(1)->shape();
  if (shape.rank() == 0 || shape.dims() == operand.dims()) {
    return absl::OkStatus();
  }
  return op.Error(
      absl::StrCat("operand ", bound, ": expected a scalar or the shape of ",
                   operand.ToString(), ", found ", shape.ToString()));
}

absl::StatusOr<std::vector<Type>> InferClamp(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 3));
  RETURN_IF_ERROR(CheckSameElementType(op, 0, 1));  // (C3)
  RETURN_IF_ERROR(CheckSameElementType(op, 2, 1));
  RETURN_IF_ERROR(CheckBound(op, 0));               // (C1)
  RETURN_IF_ERROR(CheckBound(op, 2));               // (C2)
  return std::vector<Type>{op.operand(1)->type()};  // (C4)
}

int64_t Step(const LiteralView& bound) {
  return bound.shape().rank() == 0 ? 0 : 1;
}

absl::Status EvaluateClamp(EvaluationContext&, const Op& op,
                           absl::Span<const LiteralView> operands,
                           absl::Span<const MutableLiteralView> results) {
  const int64_t n = results[0].shape().element_count();
  return DispatchTypes<kAllTypes>(
      op, results[0].shape().element_type(),
      [&]<typename T>(std::type_identity<T>) {
        using C = ComputeType<T>;
        const T* low = operands[0].data<T>().data();
        const T* x = operands[1].data<T>().data();
        const T* high = operands[2].data<T>().data();
        T* result = results[0].data<T>().data();
        for (int64_t i = 0; i < n; ++i) {
          const C raised = MaximumScalars()(
              static_cast<C>(x[i]), static_cast<C>(low[i * Step(operands[0])]));
          result[i] = static_cast<T>(MinimumScalars()(
              raised, static_cast<C>(high[i * Step(operands[2])])));
        }
      });
}

// clamp: element-wise minimum(maximum(x, low), high).
//   (I1) min, (I3) max: a scalar or the operand's shape. (I2) operand.
REGISTER_OP(OpDef("stablehlo.clamp", OpKind::kElementwise)
                .Assembly(OperandsForm(3))
                .Infer(InferClamp)
                .Evaluate(EvaluateClamp)
                .Sharding(PointwiseSharding())
                .Emit([](ScalarBuilder& b, const Op&, absl::Span<const int> x) {
                  return b.Binary(
                      BinaryScalarOp::kMinimum,
                      b.Binary(BinaryScalarOp::kMaximum, x[1], x[0]), x[2]);
                }));

}  // namespace
}  // namespace lockstep::internal
