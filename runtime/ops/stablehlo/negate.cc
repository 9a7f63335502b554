#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

struct NegateScalar {
  template <typename T>
  T operator()(T x) const {
    if constexpr (IntegerScalar<T>) {
      return SubtractScalars()(T{0}, x);
    } else {
      return -x;
    }
  }
};

// negate: element-wise -x; integers wrap, floats change only the sign.
//   (I1) operand: integer, float or complex tensor. (C1) the result has its
//   type.
REGISTER_OP(UnaryOp<kNumberTypes>("stablehlo.negate", NegateScalar())
                .Emit(EmitUnary(UnaryScalarOp::kNegate)));

}  // namespace
}  // namespace lockstep::internal
