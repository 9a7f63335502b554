#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

struct AbsScalar {
  template <typename T>
  auto operator()(T x) const {
    if constexpr (IntegerScalar<T>) {
      return x < 0 ? SubtractScalars()(T{0}, x) : x;
    } else {
      return std::abs(x);
    }
  }
};

constexpr ElementTypes kAbsTypes = kSignedTypes | kFloatTypes | kComplexTypes;

// abs: element-wise magnitude; of the smallest integer, that integer.
//   (I1) operand: signed integer, float or complex tensor.
//   (C1, C2) the result has its shape and its real element type.
REGISTER_OP(OpDef("stablehlo.abs", OpKind::kElementwise)
                .Assembly(OperandsForm(1))
                .Infer(InferRealType(kAbsTypes))
                .Evaluate(EvaluateUnary<kAbsTypes>(AbsScalar()))
                .Sharding(PointwiseSharding())
                .Emit(EmitUnary(UnaryScalarOp::kAbs)));

}  // namespace
}  // namespace lockstep::internal
