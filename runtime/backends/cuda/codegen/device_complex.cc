#include "runtime/backends/cuda/codegen/device_library.h"

namespace lockstep::internal {

absl::string_view DeviceComplex() {
  return R"cuda(
// ---- complex numbers: signs of zero, infinities and NaN as in annex G of C99
#define CX template <class T> FN complex<T>
CX Complex(T re, T im) {
  complex<T> z;
  z.re = re;
  z.im = im;
  return z;
}
template <class T> FN T Real(complex<T> z) { return z.re; }
template <class T> FN T Imag(complex<T> z) { return z.im; }
template <class T> FN bool IsInf(T x) { return !IsNan(x) && !IsFinite(x); }
template <class T> FN T Box(T x) { return WithSign(IsInf(x) ? T(1) : T(0), x); }
template <class T> FN T NanToZero(T x) { return IsNan(x) ? WithSign(T(0), x) : x; }
FN double Infinity() { return FromBits(0x7ff0000000000000ull); }
FN c128 Wide(c64 z) { return Complex(double(z.re), double(z.im)); }
FN c128 Wide(c128 z) { return z; }
FN void Narrow(c128 z, c64& to) { to = Complex(float(z.re), float(z.im)); }
FN void Narrow(c128 z, c128& to) { to = z; }
FN double Hypot(double x, double y) { return hypot(x, y); }
FN float Hypot(float x, float y) { return float(hypot(double(x), double(y))); }

CX Add(complex<T> x, complex<T> y) { return Complex(x.re + y.re, x.im + y.im); }
CX Subtract(complex<T> x, complex<T> y) { return Complex(x.re - y.re, x.im - y.im); }
CX Multiply(complex<T> x, complex<T> y) {
  T a = x.re, b = x.im, c = y.re, d = y.im;
  const T ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  const complex<T> plain = Complex(ac - bd, ad + bc);
  if (!IsNan(plain.re) || !IsNan(plain.im)) return plain;
  const bool is_x = IsInf(a) || IsInf(b);
  const bool is_y = IsInf(c) || IsInf(d);
  if (!is_x && !is_y && !IsInf(ac) && !IsInf(bd) && !IsInf(ad) && !IsInf(bc)) {
    return plain;
  }
  a = is_x ? Box(a) : NanToZero(a);
  b = is_x ? Box(b) : NanToZero(b);
  c = is_y ? Box(c) : NanToZero(c);
  d = is_y ? Box(d) : NanToZero(d);
  const T infinity = T(Infinity());
  return Complex(infinity * (a * c - b * d), infinity * (a * d + b * c));
}
FN s64 LargerExponent(double x, double y) {
  const s64 exponent = s64(Bits(fmax(fabs(x), fabs(y))) >> 52) - 1023;
  return exponent > 1021 ? 1021 : exponent < -1021 ? -1021 : exponent;
}
FN double PowerOfTwo(s64 n) { return FromBits(u64(n + 1023) << 52); }
FN c128 WideDivide(c128 x, c128 y) {
  const double a = x.re, b = x.im, c = y.re, d = y.im;
  const s64 ex = LargerExponent(a, b), ey = LargerExponent(c, d);
  const double sx = PowerOfTwo(-ex), sy = PowerOfTwo(-ey);
  const double sa = a * sx, sb = b * sx, sc = c * sy, sd = d * sy;
  const double square = sc * sc + sd * sd;
  const s64 e = ex - ey, half = e >> 1;
  const double s1 = PowerOfTwo(half), s2 = PowerOfTwo(e - half);
  const c128 plain = Complex((sa * sc + sb * sd) / square * s1 * s2,
                             (sb * sc - sa * sd) / square * s1 * s2);
  if (!IsNan(plain.re) || !IsNan(plain.im)) return plain;
  if (c == 0 && d == 0 && !(IsNan(a) && IsNan(b))) {
    const double pole = WithSign(Infinity(), c);
    return Complex(pole * a, pole * b);
  }
  if ((IsInf(a) || IsInf(b)) && IsFinite(c) && IsFinite(d)) {
    const double p = Box(a), q = Box(b);
    return Complex(Infinity() * (p * c + q * d), Infinity() * (q * c - p * d));
  }
  if ((IsInf(c) || IsInf(d)) && IsFinite(a) && IsFinite(b)) {
    const double p = Box(c), q = Box(d);
    return Complex(0.0 * (a * p + b * q), 0.0 * (b * p - a * q));
  }
  return plain;
}
CX Divide(complex<T> x, complex<T> y) {
  complex<T> z;
  Narrow(WideDivide(Wide(x), Wide(y)), z);
  return z;
}
template <class T> FN bool HasNan(complex<T> z) { return IsNan(z.re) || IsNan(z.im); }
template <class T> FN bool IsLess(complex<T> x, complex<T> y) {
  return x.re < y.re || (x.re == y.re && x.im < y.im);
}
CX Maximum(complex<T> x, complex<T> y) {
  return !HasNan(x) && (HasNan(y) || IsLess(x, y)) ? y : x;
}
CX Minimum(complex<T> x, complex<T> y) {
  return !HasNan(x) && (HasNan(y) || IsLess(y, x)) ? y : x;
}
template <class T> FN T Abs(complex<T> z) { return Hypot(z.re, z.im); }
CX Negate(complex<T> z) { return Complex(-z.re, -z.im); }
CX Sign(complex<T> z) {
  const T absolute = Abs(z);
  if (absolute == T(0)) return Complex(T(0), T(0));
  return Complex(z.re / absolute, z.im / absolute);
}
template <class T> FN bool IsEqual(complex<T> x, complex<T> y) {
  return x.re == y.re && x.im == y.im;
}

// exp(x) as a product, of which only the whole overflows.
FN double SplitExponential(double x, double& scale) {
  const bool is_large = x > 700;
  scale = is_large ? exp(700.0) : 1.0;
  return exp(is_large ? x - 700 : x);
}
FN c128 WideExponential(c128 z) {
  double scale;
  const double e = SplitExponential(z.re, scale);
  const double sine = sin(z.im);
  c128 result = Complex(e * cos(z.im) * scale, e * sine * scale);
  if (IsInf(z.re) && !IsFinite(z.im)) {
    result = z.re < 0 ? Complex(0.0, WithSign(0.0, z.im)) : Complex(Infinity(), sine);
  }
  if (z.im == 0) result.im = z.im;
  return result;
}
FN c128 Exponential128(c128 z) {
  const double nan = FromBits(0x7ff8000000000000ull);
  return IsFinite(z.im) ? WideExponential(z) : Complex(nan, nan);
}
FN c128 ExponentialMinusOne128(c128 z) {
  const double half = sin(z.im * 0.5);
  return Complex(expm1(z.re) * cos(z.im) - half * 2 * half, exp(z.re) * sin(z.im));
}
// log |z|, exact near |z| = 1.
FN double LogOfAbs(c128 z) {
  const double a = fabs(z.re), b = fabs(z.im);
  if (IsInf(a) || IsInf(b)) return Infinity();
  const double large = a < b ? b : a, small = a < b ? a : b;
  if (large > 0.5 && large < 2) {
    const double below = large - 1, above = large + 1;
    const double product = below * above;
    double rest = fma(below, large - (above - 1), fma(below, above, -product));
    const double square = small * small;
    rest += fma(small, small, -square);
    const double sum = product + square, added = sum - product;
    rest += (product - (sum - added)) + (square - added);
    return log1p(sum + rest) * 0.5;
  }
  const s64 exponent = LargerExponent(a, b);
  const double scale = PowerOfTwo(-exponent);
  return fma(double(exponent), 0.69314718055994530942, log(hypot(a * scale, b * scale)));
}
FN c128 Log128(c128 z) { return Complex(LogOfAbs(z), atan2(z.im, z.re)); }
FN c128 LogPlusOne128(c128 z) {
  const double a = z.re, b = z.im, sum = a + 1;
  const bool is_near = fabs(a) < 8 && fabs(b) < 8;
  return Complex(is_near ? log1p(a * (a + 2) + b * b) * 0.5 : LogOfAbs(Complex(sum, b)),
                 atan2(b, sum));
}
FN c128 Logistic128(c128 z) {
  const c128 e = WideExponential(Negate(z));
  return WideDivide(Complex(1.0, 0.0), Complex(1 + e.re, e.im));
}
FN c128 Cbrt128(c128 z) {
  const bool is_huge = fmax(fabs(z.re), fabs(z.im)) > 1.0715086071862673e301;
  const double scale = is_huge ? 9.31322574615478515625e-10 : 1.0;
  const double root = cbrt(hypot(z.re * scale, z.im * scale)) * (is_huge ? 1024.0 : 1.0);
  const double angle = atan2(z.im, z.re) * (1.0 / 3);
  return Complex(root * cos(angle), root * sin(angle));
}
FN c128 Sqrt128(c128 z) {
  const s64 half = LargerExponent(z.re, z.im) >> 1;
  const double scale = PowerOfTwo(-(half << 1));
  const double a = z.re * scale, b = z.im * scale;
  if (IsInf(b)) return Complex(Infinity(), b);
  const double absolute = IsInf(a) ? Infinity() : hypot(a, b);
  if (absolute == 0) return Complex(0.0, b);
  const double root = sqrt((fabs(a) + absolute) * 0.5) * PowerOfTwo(half);
  const double other = z.im / (root * 2);
  return a >= 0 ? Complex(root, other) : Complex(fabs(other), WithSign(root, b));
}
FN c128 Rsqrt128(c128 z) { return WideDivide(Complex(1.0, 0.0), Sqrt128(z)); }
// sinh(a) cos(b) + i cosh(a) sin(b); beyond 20 both are exp(|a|) / 2.
FN void HyperbolicParts(double a, double& sinh_a, double& cosh_a, double& unit) {
  const double magnitude = fabs(a);
  const bool is_large = magnitude > 20;
  double scale;
  const double half = SplitExponential(magnitude, scale) * 0.5;
  sinh_a = is_large ? WithSign(half, a) : sinh(a);
  cosh_a = is_large ? half : cosh(a);
  unit = is_large ? scale : 1.0;
}
FN c128 Sinh128(c128 z) {
  double s, c, unit;
  HyperbolicParts(z.re, s, c, unit);
  c128 result = Complex(s * cos(z.im) * unit, c * sin(z.im) * unit);
  if (!IsFinite(z.im) && (z.re == 0 || IsInf(z.re))) result.re = z.re;
  if (z.im == 0) result.im = z.im;
  return result;
}
FN c128 Cosh128(c128 z) {
  double s, c, unit;
  HyperbolicParts(z.re, s, c, unit);
  c128 result = Complex(c * cos(z.im) * unit, s * sin(z.im) * unit);
  if (IsInf(z.re) && !IsFinite(z.im)) result.re = fabs(z.re);
  if (IsNan(result.im) && (z.re == 0 || z.im == 0)) {
    result.im = WithSign(0.0, z.re) * WithSign(1.0, z.im);
  }
  return result;
}
// With s = sinh(a), c = cos(b): s cosh(a) / (s^2 + c^2) and
// sin(b) c / (s^2 + c^2); for large a: 1 and 4 sin(b) c exp(-2a).
FN c128 Tanh128(c128 z) {
  const double magnitude = fabs(z.re);
  const bool is_finite = IsFinite(z.im);
  const double cosine = cos(z.im), both = sin(z.im) * cosine;
  c128 result;
  if (magnitude > 20) {
    result = Complex(is_finite || IsInf(z.re) ? WithSign(1.0, z.re) : both,
                     both * 4 * exp(magnitude * -2));
  } else {
    const double s = sinh(z.re), square = s * s + cosine * cosine;
    result = Complex(s * cosh(z.re) / square, both / square);
  }
  if (IsInf(z.re) && !is_finite) result.im = WithSign(0.0, z.im);
  if (z.re == 0 && !is_finite) result.re = z.re;
  if (z.im == 0) result.im = z.im;
  return result;
}
FN c128 Turn(c128 z) { return Complex(-z.im, z.re); }
FN c128 TurnBack(c128 z) { return Complex(z.im, -z.re); }
FN c128 Sine128(c128 z) { return TurnBack(Sinh128(Turn(z))); }
FN c128 Cosine128(c128 z) { return Cosh128(Turn(z)); }
FN c128 Tan128(c128 z) { return TurnBack(Tanh128(Turn(z))); }
#define COMPLEX_FUNCTION(name) \
  CX name(complex<T> z) { \
    complex<T> to; \
    Narrow(name##128(Wide(z)), to); \
    return to; \
  }
COMPLEX_FUNCTION(Cbrt)
COMPLEX_FUNCTION(Cosine)
COMPLEX_FUNCTION(Exponential)
COMPLEX_FUNCTION(ExponentialMinusOne)
COMPLEX_FUNCTION(Log)
COMPLEX_FUNCTION(LogPlusOne)
COMPLEX_FUNCTION(Logistic)
COMPLEX_FUNCTION(Rsqrt)
COMPLEX_FUNCTION(Sine)
COMPLEX_FUNCTION(Sqrt)
COMPLEX_FUNCTION(Tan)
COMPLEX_FUNCTION(Tanh)
)cuda";
}

}  // namespace lockstep::internal
