#include <cmath>
#include <complex>
#include <limits>

#include "runtime/ops/chlo/forms.h"

namespace lockstep::internal {
namespace {

constexpr ElementTypes kTypes = kFloatTypes | kComplexTypes;

// exp(|x| / 2): its square overflows where the result does, not before.
ScalarTerm HalfExp(const ScalarTerm& x) { return Exp(0.5 * Abs(x)); }

// sinh: element-wise hyperbolic sine.
//   (I1) operand: float or complex tensor. (C1) the result has its type.
REGISTER_OP(
    ChloUnary<kTypes>("chlo.sinh", [](auto x) { return std::sinh(x); })
        .Emit(EmitTerm([](const ScalarTerm& x) {
          const ScalarTerm e = HalfExp(x);
          const ScalarTerm large = Sign(x) * ((0.5 * e) * e - (0.5 / e) / e);
          const ScalarTerm m = Expm1(x);
          const ScalarTerm small = 0.5 * (m + m / (m + 1.0));
          return Abs(x).Is(ScalarComparison::kLt, 1.0).Choose(small, large);
        }))
        .EmitWhen(HasFloatOperand));

// cosh: element-wise hyperbolic cosine; as sinh.
REGISTER_OP(ChloUnary<kTypes>("chlo.cosh", [](auto x) { return std::cosh(x); })
                .Emit(EmitTerm([](const ScalarTerm& x) {
                  const ScalarTerm e = HalfExp(x);
                  return (0.5 * e) * e + (0.5 / e) / e;
                }))
                .EmitWhen(HasFloatOperand));

// asinh: element-wise inverse of sinh; as sinh.
REGISTER_OP(ChloUnary<kTypes>("chlo.asinh",
                              [](auto x) { return std::asinh(x); })
                .Emit(EmitTerm([](const ScalarTerm& x) {
                  const ScalarTerm a = Abs(x);
                  const ScalarTerm square = a * a;
                  const ScalarTerm small =
                      Log1p(a + square / (Sqrt(square + 1.0) + 1.0));
                  const ScalarTerm large = Log(a) + std::log(2.0);
                  // Beyond it the square may overflow and the 1 is lost.
                  return Sign(x) *
                         a.Is(ScalarComparison::kGt, 1e9).Choose(large, small);
                }))
                .EmitWhen(HasFloatOperand));

// acosh: element-wise inverse of cosh; NaN below 1; as sinh.
REGISTER_OP(
    ChloUnary<kTypes>("chlo.acosh", [](auto x) { return std::acosh(x); })
        .Emit(EmitTerm([](const ScalarTerm& x) {
          const ScalarTerm over = x - 1.0;
          const ScalarTerm small = Log1p(over + Sqrt(over * (x + 1.0)));
          const ScalarTerm large = Log(x) + std::log(2.0);
          const ScalarTerm nan =
              x.Number(std::numeric_limits<double>::quiet_NaN());
          return x.Is(ScalarComparison::kLt, 1.0)
              .Choose(nan,
                      x.Is(ScalarComparison::kGt, 1e9).Choose(large, small));
        }))
        .EmitWhen(HasFloatOperand));

// atanh: element-wise inverse of tanh; NaN outside [-1, 1]; as sinh.
REGISTER_OP(ChloUnary<kTypes>("chlo.atanh",
                              [](auto x) { return std::atanh(x); })
                .Emit(EmitTerm([](const ScalarTerm& x) {
                  return 0.5 * (Log1p(x) - Log1p(-x));
                }))
                .EmitWhen(HasFloatOperand));

}  // namespace
}  // namespace lockstep::internal
