#include <cmath>

#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

struct RemainderScalars {
  template <typename T>
  T operator()(T x, T y) const {
    if constexpr (IntegerScalar<T>) {
      // x rem 0 is x; MIN rem -1 is 0 (the machine's division traps on it).
      if (y == 0) return x;
      if constexpr (std::is_signed_v<T>) {
        if (y == -1) return 0;
      }
      return static_cast<T>(x % y);
    } else {
      return std::fmod(x, y);
    }
  }
};

// remainder: element-wise x - y * trunc(x / y); the sign is the dividend's.
//   (I1, I2) lhs, rhs: integer or float tensors.
//   (C1) lhs, rhs and result have the same type.
REGISTER_OP(BinaryOp<kIntegerTypes | kFloatTypes>("stablehlo.remainder",
                                                  RemainderScalars())
                .Emit(EmitBinary(BinaryScalarOp::kRemainder)));

}  // namespace
}  // namespace lockstep::internal
