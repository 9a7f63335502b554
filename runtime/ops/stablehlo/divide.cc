#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

struct DivideScalars {
  template <typename T>
  T operator()(T x, T y) const {
    if constexpr (IntegerScalar<T>) {
      // x / 0 is all ones, which is -1 for signed types; MIN / -1 wraps to MIN.
      if (y == 0) return static_cast<T>(-1);
      if constexpr (std::is_signed_v<T>) {
        if (y == -1) return SubtractScalars()(T{0}, x);
      }
      return static_cast<T>(x / y);
    } else {
      return x / y;
    }
  }
};

// divide: element-wise x / y; integers truncate toward zero.
//   (I1, I2) lhs, rhs: integer, float or complex tensors.
//   (C1) lhs, rhs and result have the same type.
REGISTER_OP(BinaryOp<kNumberTypes>("stablehlo.divide", DivideScalars())
                .Emit(EmitBinary(BinaryScalarOp::kDivide)));

}  // namespace
}  // namespace lockstep::internal
