#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

// By squaring; wraps. A negative exponent gives 0, except for the bases 1 (1)
// and -1 (1 or -1).
template <IntegerScalar T>
T IntegerPower(T base, T exponent) {
  if constexpr (std::is_signed_v<T>) {
    if (exponent < 0) {
      if (base == 1) return 1;
      if (base == -1) return exponent % 2 == 0 ? 1 : -1;
      return 0;
    }
  }
  T result = 1;
  while (exponent != 0) {
    if (exponent % 2 != 0) result = MultiplyScalars()(result, base);
    base = MultiplyScalars()(base, base);
    exponent = static_cast<T>(exponent / 2);
  }
  return result;
}

struct PowerScalars {
  template <typename T>
  T operator()(T x, T y) const {
    if constexpr (IntegerScalar<T>) {
      return IntegerPower(x, y);
    } else if constexpr (std::same_as<T, std::complex<float>>) {
      // Through exp and log in single precision, large results lose digits.
      return T(std::pow(std::complex<double>(x), std::complex<double>(y)));
    } else {
      return std::pow(x, y);
    }
  }
};

// power: element-wise x to the y; floats as C99's pow.
//   (I1, I2) lhs, rhs: integer, float or complex tensors.
//   (C1) lhs, rhs and result have the same type.
REGISTER_OP(BinaryOp<kNumberTypes>("stablehlo.power", PowerScalars())
                .Emit(EmitBinary(BinaryScalarOp::kPower)));

}  // namespace
}  // namespace lockstep::internal
