#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

struct LogPlusOneScalar {
  template <typename T>
  T operator()(T x) const {
    if constexpr (std::is_same_v<T, std::complex<float>>) {
      return T((*this)(std::complex<double>(x)));
    } else if constexpr (kIsComplex<T>) {
      using R = typename T::value_type;
      const R a = x.real(), b = x.imag();
      const R angle = std::atan2(b, R(1) + a);
      // The square would overflow, and nothing is lost without it.
      if (!(std::fabs(a) < 8 && std::fabs(b) < 8)) {
        const R quarter = std::hypot((R(1) + a) / 4, b / 4);
        return T(std::log(quarter) + std::log(R(4)), angle);
      }
      // |1 + x|^2 - 1 without the cancellation of 1 + x.
      return T(std::log1p(a * (R(2) + a) + b * b) / R(2), angle);
    } else {
      return std::log1p(x);
    }
  }
};

// log_plus_one: element-wise log(1 + x), exact near 0.
//   (I1) operand: float or complex tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kFloatTypes | kComplexTypes>("stablehlo.log_plus_one",
                                                 LogPlusOneScalar())
                .Emit(EmitUnary(UnaryScalarOp::kLogPlusOne)));

}  // namespace
}  // namespace lockstep::internal
