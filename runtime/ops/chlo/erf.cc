#include <cmath>
#include <limits>

#include "runtime/ops/chlo/erf_inv.h"
#include "runtime/ops/chlo/forms.h"

namespace lockstep::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double ErfInv(double x) {
  if (std::fabs(x) == 1) return x * kInfinity;
  const double w = -std::log1p(-x * x);
  if (w < 6.25) return x * Horner(w - 3.125, kErfInvCentral);
  if (w < 16) return x * Horner(std::sqrt(w) - 3.25, kErfInvMiddle);
  return x * Horner(std::sqrt(w) - 5, kErfInvTail);
}

ScalarTerm ErfInvTerm(const ScalarTerm& x) {
  const ScalarTerm w = -Log1p(x * -x);
  const ScalarTerm root = Sqrt(w);
  const auto below = [&](double limit) {
    return w.Is(ScalarComparison::kLt, limit);
  };
  const ScalarTerm factor =
      x.type() == ElementType::kF64
          ? below(6.25).Choose(
                Horner(w - 3.125, kErfInvCentral),
                below(16).Choose(Horner(root - 3.25, kErfInvMiddle),
                                 Horner(root - 5.0, kErfInvTail)))
          : below(5).Choose(Horner(w - 2.5, kErfInvSinglePrecisionCentral),
                            Horner(root - 3.0, kErfInvSinglePrecisionTail));
  return Abs(x).Is(ScalarComparison::kEq, 1).Choose(kInfinity * x, x * factor);
}

// erf: element-wise error function. erfc: 1 - erf. erf_inv: the inverse of erf,
// NaN outside [-1, 1].
//   (I1) operand: float tensor. (C1) the result has its type.
REGISTER_OP(ChloUnary<kFloatTypes>("chlo.erf", [](double x) {
              return std::erf(x);
            }).Emit(EmitUnary(UnaryScalarOp::kErf)));
REGISTER_OP(ChloUnary<kFloatTypes>("chlo.erfc", [](double x) {
              return std::erfc(x);
            }).Emit(EmitUnary(UnaryScalarOp::kErfc)));
REGISTER_OP(
    ChloUnary<kFloatTypes>("chlo.erf_inv", ErfInv).Emit(EmitTerm(ErfInvTerm)));

}  // namespace
}  // namespace lockstep::internal
