#include <cmath>
#include <limits>
#include <numbers>

#include "runtime/ops/chlo/forms.h"

namespace lockstep::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The logarithm of |gamma|; std::lgamma writes a global variable.
double Lgamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

// By the recurrence to 10 and more, then the asymptotic series.
double Digamma(double x) {
  if (x <= 0 && x == std::floor(x)) return kNan;
  if (x < 0) {
    // The reflection; the tangent has period 1.
    const double rest = x - std::round(x);
    return Digamma(1 - x) -
           std::numbers::pi / std::tan(std::numbers::pi * rest);
  }
  double sum = 0;
  for (; x < 10; x += 1) sum -= 1 / x;
  // B(2k) / 2k, highest first.
  constexpr double kTerms[] = {1.0 / 12,  -691.0 / 32760, 1.0 / 132, -1.0 / 240,
                               1.0 / 252, -1.0 / 120,     1.0 / 12};
  const double y = 1 / (x * x);
  double series = 0;
  for (double term : kTerms) series = (series + term) * y;
  return sum + std::log(x) - 0.5 / x - series;
}

// Euler-Maclaurin after the first terms of the sum (F. Johansson, "Rigorous
// high-precision computation of the Hurwitz zeta function", formula 5).
double ZetaSum(double x, double q) {
  constexpr int kDirectTerms = 9;
  // (2k)! / B(2k), k = 12 .. 1.
  constexpr double kDivisors[] = {-7.1661652561756670113e18,
                                  1.8152105401943546773e17,
                                  -4.5979787224074726105e15,
                                  1.1646782814350067249e14,
                                  -2.950130727918164224e12,
                                  7.47242496e10,
                                  -1.8924375803183791606e9,
                                  47900160.0,
                                  -1209600.0,
                                  30240.0,
                                  -720.0,
                                  12.0};
  double sum = std::pow(q, -x);
  for (int i = 1; i <= kDirectTerms; ++i) sum += std::pow(q + i, -x);
  const double last = q + kDirectTerms + 1;
  const double power = std::pow(last, -x);
  const double integral = power * last / (x - 1);
  if (std::fabs(power) < std::fabs(sum) * std::numeric_limits<double>::min()) {
    return sum;
  }
  double tail = 0;
  for (int k = 12; k > 1; --k) {
    const double factor = (x + 2 * k - 2) * (x + 2 * k - 3) / (last * last);
    tail = factor * (tail + 1 / kDivisors[12 - k]);
  }
  return sum + integral + power * (0.5 + x / last * (tail + 1 / kDivisors[11]));
}

// The Hurwitz zeta function.
double Zeta(double x, double q) {
  if (x == 1) return kInfinity;
  if (x < 1 || x != x || q != q) return kNan;
  if (q <= 0) {
    const bool is_even = std::fmod(x, 2.0) == 0;
    if (q == std::floor(q)) return is_even ? kInfinity : kNan;
    if (x != std::floor(x)) return kNan;
  }
  return ZetaSum(x, q);
}

double Polygamma(double n, double x) {
  if (n < 0 || n != std::floor(n)) return kNan;
  if (n == 0) return Digamma(x);
  const double sign = std::fmod(n, 2.0) == 0 ? -1 : 1;
  return sign * std::exp(Lgamma(n + 1)) * Zeta(n + 1, x);
}

// Lanczos' approximation of gamma(z + 1), g = 7 and 9 terms.
constexpr double kLanczosG = 7;
constexpr double kLanczosFirst = 0.99999999999980993227684700473478;
constexpr double kLanczos[] = {
    676.520368121885098567009190444019, -1259.13921672240287047156078755283,
    771.3234287776530788486528258894,   -176.61502916214059906584551354,
    12.507343278686904814458936853,     -0.13857109526572011689554707,
    9.984369578019570859563e-6,         1.50563273514931155834e-7};

// For x < 1/2 both functions are reflected: z is then -x instead of x - 1.
struct LanczosTerms {
  explicit LanczosTerms(const ScalarTerm& x)
      : reflects(x.Is(ScalarComparison::kLt, 0.5)),
        z(reflects.Choose(-x, x - 1.0)),
        t(z + (kLanczosG + 0.5)),
        log_t(Log1p(z / z.Number(kLanczosG + 0.5)) +
              std::log(kLanczosG + 0.5)) {}

  ScalarTerm reflects, z, t, log_t;
};

ScalarTerm LgammaTerm(const ScalarTerm& x) {
  const LanczosTerms lanczos(x);
  const ScalarTerm& z = lanczos.z;
  ScalarTerm a = x.Number(kLanczosFirst);
  for (int i = 0; i < 8; ++i) a = a + kLanczos[i] / (z + (i + 1.0));
  // (z + 1/2) log(t) - t, which does not overflow before the result.
  const ScalarTerm rest = (z + 0.5 - lanczos.t / lanczos.log_t) * lanczos.log_t;
  const ScalarTerm direct = rest + std::log(2 * std::numbers::pi) / 2 + Log(a);
  // log |sin(pi x)|, from the distance to the next integer.
  const ScalarTerm magnitude = Abs(x);
  const ScalarTerm fraction = magnitude - Floor(magnitude);
  const ScalarTerm distance =
      fraction.Is(ScalarComparison::kGt, 0.5).Choose(1.0 - fraction, fraction);
  const ScalarTerm log_sine =
      Log((std::numbers::pi * distance).Apply(UnaryScalarOp::kSine));
  const ScalarTerm reflected =
      log_sine.Apply(UnaryScalarOp::kIsFinite)
          .Choose(std::log(std::numbers::pi) - log_sine - direct, -log_sine);
  return magnitude.Is(ScalarComparison::kEq, kInfinity)
      .Choose(magnitude, lanczos.reflects.Choose(reflected, direct));
}

ScalarTerm DigammaTerm(const ScalarTerm& x) {
  const LanczosTerms lanczos(x);
  ScalarTerm a = x.Number(kLanczosFirst);
  ScalarTerm derivative = x.Number(0);
  for (int i = 0; i < 8; ++i) {
    const ScalarTerm term = lanczos.z + (i + 1.0);
    derivative = derivative - kLanczos[i] / (term * term);
    a = a + kLanczos[i] / term;
  }
  const ScalarTerm direct =
      lanczos.log_t + derivative / a - kLanczosG / lanczos.t;
  const ScalarTerm angle = std::numbers::pi * (x + Abs(Floor(x + 0.5)));
  const ScalarTerm cotangent =
      angle.Apply(UnaryScalarOp::kCosine) / angle.Apply(UnaryScalarOp::kSine);
  const ScalarTerm value =
      lanczos.reflects.Choose(direct - std::numbers::pi * cotangent, direct);
  const ScalarTerm is_pole =
      x.Is(ScalarComparison::kLe, 0)
          .Apply(BinaryScalarOp::kAnd, x.Is(ScalarComparison::kEq, Floor(x)));
  return is_pole.Choose(x.Number(kNan), value);
}

// lgamma: element-wise logarithm of |gamma|. digamma: its derivative, NaN at
// the poles.
//   (I1) operand: float tensor. (C1) the result has its type.
REGISTER_OP(
    ChloUnary<kFloatTypes>("chlo.lgamma", Lgamma).Emit(EmitTerm(LgammaTerm)));
REGISTER_OP(ChloUnary<kFloatTypes>("chlo.digamma", Digamma)
                .Emit(EmitTerm(DigammaTerm)));

// zeta: element-wise sum of (q + k)^-x over k >= 0. polygamma: the n-th
// derivative of digamma at x; NaN when n is not a natural number.
//   (I1, I2) operands: float tensors. (C1) all have the same type.
REGISTER_OP(ChloBinary<kFloatTypes>("chlo.zeta", Zeta));
REGISTER_OP(ChloBinary<kFloatTypes>("chlo.polygamma", Polygamma));

}  // namespace
}  // namespace lockstep::internal
