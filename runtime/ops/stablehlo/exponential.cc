#include <cmath>
#include <complex>
#include <limits>

#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

struct ExponentialScalar {
  template <typename T>
  T operator()(T x) const {
    if constexpr (kIsComplex<T>) {
      // The direction is unknown, so both parts are, whatever the magnitude.
      if (!std::isfinite(x.imag())) {
        const auto nan = std::numeric_limits<decltype(x.imag())>::quiet_NaN();
        return T(nan, nan);
      }
    }
    return std::exp(x);
  }
};

// exponential: element-wise exponential.
//   (I1) operand: float or complex tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kFloatTypes | kComplexTypes>("stablehlo.exponential",
                                                 ExponentialScalar())
                .Emit(EmitUnary(UnaryScalarOp::kExponential)));

}  // namespace
}  // namespace lockstep::internal
