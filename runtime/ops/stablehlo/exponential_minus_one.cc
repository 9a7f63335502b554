#include <cmath>
#include <complex>

#include "runtime/ops/elementwise.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {
namespace {

struct ExponentialMinusOneScalar {
  template <typename T>
  T operator()(T x) const {
    if constexpr (kIsComplex<T>) {
      using R = typename T::value_type;
      // exp(a) cos(b) - 1 = expm1(a) cos(b) - 2 sin^2(b/2).
      const R a = x.real(), b = x.imag(), half = std::sin(b / R(2));
      return T(std::expm1(a) * std::cos(b) - R(2) * half * half,
               std::exp(a) * std::sin(b));
    } else {
      return std::expm1(x);
    }
  }
};

// exponential_minus_one: element-wise exp(x) - 1, exact near 0.
//   (I1) operand: float or complex tensor. (C1) the result has its type.
REGISTER_OP(UnaryOp<kFloatTypes | kComplexTypes>(
                "stablehlo.exponential_minus_one", ExponentialMinusOneScalar())
                .Emit(EmitUnary(UnaryScalarOp::kExponentialMinusOne)));

}  // namespace
}  // namespace lockstep::internal
