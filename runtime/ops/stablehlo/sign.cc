#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

struct SignScalar {
  template <typename T>
  T operator()(T x) const {
    if constexpr (kIsComplex<T>) {
      const auto magnitude = std::abs(x);
      return magnitude == 0 ? T(0) : x / magnitude;
    } else if constexpr (std::floating_point<T>) {
      return x == 0 || x != x ? x : std::copysign(T(1), x);
    } else {
      return static_cast<T>((x > 0) - (x < 0));
    }
  }
};

// sign: element-wise sign: -1, 0 or 1; NaN and both zeros stay as they are,
// complex x gives x / |x|.
//   (I1) operand: signed integer, float or complex tensor. (C1) the result has
//   its type.
REGISTER_OP(UnaryOp<kSignedTypes | kFloatTypes | kComplexTypes>(
                "stablehlo.sign", SignScalar())
                .Emit(EmitUnary(UnaryScalarOp::kSign)));

}  // namespace
}  // namespace lockstep::internal
