#include <cmath>
#include <complex>
#include <numbers>

#include "runtime/ops/chlo/forms.h"

namespace lockstep::internal {
namespace {

constexpr ElementTypes kTypes = kFloatTypes | kComplexTypes;

// sqrt(1 - x^2) without loss near 1.
ScalarTerm Leg(const ScalarTerm& x) { return Sqrt((1.0 - x) * (x + 1.0)); }

// asin: element-wise arc sine.
//   (I1) operand: float or complex tensor. (C1) the result has its type.
REGISTER_OP(ChloUnary<kTypes>("chlo.asin", [](auto x) { return std::asin(x); })
                .Emit(EmitTerm([](const ScalarTerm& x) {
                  return 2.0 * Atan2(x, Leg(x) + 1.0);
                }))
                .EmitWhen(HasFloatOperand));

// acos: element-wise arc cosine; as asin.
REGISTER_OP(ChloUnary<kTypes>("chlo.acos", [](auto x) { return std::acos(x); })
                .Emit(EmitTerm([](const ScalarTerm& x) {
                  const ScalarTerm pi = x.Number(std::numbers::pi);
                  return x.Is(ScalarComparison::kEq, -1.0)
                      .Choose(pi, 2.0 * Atan2(Leg(x), x + 1.0));
                }))
                .EmitWhen(HasFloatOperand));

// atan: element-wise arc tangent; as asin.
REGISTER_OP(ChloUnary<kTypes>("chlo.atan", [](auto x) { return std::atan(x); })
                .Emit(EmitTerm([](const ScalarTerm& x) {
                  return Atan2(x, x.Number(1));
                }))
                .EmitWhen(HasFloatOperand));

}  // namespace
}  // namespace lockstep::internal
