#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"
#include "runtime/ops/scalar_math.h"

namespace lockstep {
namespace {

struct LogPlusOneScalar {
  template <typename T>
  T operator()(T x) const {
    if constexpr (kIsComplex<T>) {
      using R = typename T::value_type;
      // |1 + x|^2 - 1 without the cancellation of 1 + x.
      const R a = x.real(), b = x.imag();
      return T(std::log1p(a * (R(2) + a) + b * b) / R(2),
               std::atan2(b, R(1) + a));
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
}  // namespace lockstep
