#include "runtime/backends/cuda/codegen/device_library.h"

#include <string>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

constexpr char kTypes[] = R"cuda(
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
struct pred { u8 value; };
struct f16 { u16 bits; };
struct bf16 { u16 bits; };
template <class T> struct complex { T re, im; };
typedef complex<float> c64;
typedef complex<double> c128;

#define FN static __device__ __forceinline__

template <class T> struct Unsigned { typedef T type; };
template <> struct Unsigned<s8> { typedef u32 type; };
template <> struct Unsigned<s16> { typedef u32 type; };
template <> struct Unsigned<u8> { typedef u32 type; };
template <> struct Unsigned<u16> { typedef u32 type; };
template <> struct Unsigned<s32> { typedef u32 type; };
template <> struct Unsigned<s64> { typedef u64 type; };
template <class T> struct IsSigned { enum { value = T(-1) < T(0) }; };

FN u32 Bits(float x) { return __float_as_uint(x); }
FN u64 Bits(double x) { return u64(__double_as_longlong(x)); }
FN float FromBits(u32 x) { return __uint_as_float(x); }
FN double FromBits(u64 x) { return __longlong_as_double(s64(x)); }
FN bool IsNan(float x) { return x != x; }
FN bool IsNan(double x) { return x != x; }
FN float Magnitude(float x) { return fabsf(x); }
FN double Magnitude(double x) { return fabs(x); }
FN float WithSign(float x, float y) { return copysignf(x, y); }
FN double WithSign(double x, double y) { return copysign(x, y); }

// ---- f16 and bf16
FN float FromF16(u16 bits) {
#ifdef __CUDA_ARCH__
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
#else
  const u32 sign = u32(bits & 0x8000u) << 16;
  const u32 rest = bits & 0x7fffu;
  if (rest >= 0x7c00u) return FromBits(sign | 0x7f800000u | ((rest & 0x3ffu) << 13));
  if (rest >= 0x400u) return FromBits(sign | ((rest << 13) + 0x38000000u));
  return FromBits(sign | Bits(float(rest) * 5.9604644775390625e-8f));
#endif
}
FN u16 ToF16(float x) {
#ifdef __CUDA_ARCH__
  u16 bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
#else
  const u32 all = Bits(x);
  const u32 sign = (all >> 16) & 0x8000u;
  const u32 rest = all & 0x7fffffffu;
  if (rest > 0x7f800000u) return u16(sign | 0x7e00u | ((rest >> 13) & 0x3ffu));
  if (rest >= 0x477ff000u) return u16(sign | 0x7c00u);
  if (rest >= 0x38800000u) {
    return u16(sign | ((rest - 0x38000000u + 0xfffu + ((rest >> 13) & 1u)) >> 13));
  }
  // Denormals: the sum with 0.5 has their unit as its own.
  return u16(sign | (Bits(FromBits(rest) + 0.5f) - 0x3f000000u));
#endif
}
FN float FromBf16(u16 bits) { return FromBits(u32(bits) << 16); }
FN u32 RoundedBf16(float x) {
  const u32 bits = Bits(x);
  if (IsNan(x)) return (bits | 0x400000u) & 0xffff0000u;
  return (bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u;
}
FN u16 ToBf16(float x) { return u16(RoundedBf16(x) >> 16); }
FN float RoundF16(float x) { return FromF16(ToF16(x)); }
FN float RoundBf16(float x) { return FromBits(RoundedBf16(x)); }
// To float, so that rounding once more is as if from the double.
FN float ToOdd(double x) {
  const float nearest = float(x);
  const double back = double(nearest);
  if (IsNan(x) || back == x) return nearest;
  u32 bits = Bits(nearest);
  if (Magnitude(back) > Magnitude(x)) bits -= 1;
  return FromBits(bits | 1u);
}

// ---- memory
template <class T> FN T LoadElement(const T* p, s64 i) { return p[i]; }
FN bool LoadElement(const pred* p, s64 i) { return p[i].value != 0; }
FN float LoadElement(const f16* p, s64 i) { return FromF16(p[i].bits); }
FN float LoadElement(const bf16* p, s64 i) { return FromBf16(p[i].bits); }
template <class T> FN void StoreElement(T* p, s64 i, T x) { p[i] = x; }
FN void StoreElement(pred* p, s64 i, bool x) { p[i].value = x ? 1 : 0; }
FN void StoreElement(f16* p, s64 i, float x) { p[i].bits = ToF16(x); }
FN void StoreElement(bf16* p, s64 i, float x) { p[i].bits = ToBf16(x); }

// N elements as few accesses of up to 16 bytes; `p` is a multiple of that.
template <int kBytes> struct Word;
template <> struct Word<1> { typedef u8 type; };
template <> struct Word<2> { typedef u16 type; };
template <> struct Word<4> { typedef u32 type; };
template <> struct Word<8> { typedef u64 type; };
struct __align__(16) Quad { u32 x, y, z, w; };
template <> struct Word<16> { typedef Quad type; };
template <class T, int N> struct Pack {
  enum { kBytes = N * int(sizeof(T)), kWord = kBytes > 16 ? 16 : kBytes };
  typedef typename Word<kWord>::type Part;
  union {
    Part parts[kBytes / kWord];
    T elements[N];
  };
  FN void Load(Pack& pack, const T* p) {
    for (int i = 0; i < kBytes / kWord; ++i) {
      pack.parts[i] = reinterpret_cast<const Part*>(p)[i];
    }
  }
  FN void Store(const Pack& pack, T* p) {
    for (int i = 0; i < kBytes / kWord; ++i) {
      reinterpret_cast<Part*>(p)[i] = pack.parts[i];
    }
  }
};
)cuda";

constexpr char kScalars[] = R"cuda(
// ---- numbers
template <class T> FN T Add(T x, T y) {
  typedef typename Unsigned<T>::type U;
  return T(U(x) + U(y));
}
FN float Add(float x, float y) { return x + y; }
FN double Add(double x, double y) { return x + y; }
FN bool Add(bool x, bool y) { return x || y; }
template <class T> FN T Subtract(T x, T y) {
  typedef typename Unsigned<T>::type U;
  return T(U(x) - U(y));
}
FN float Subtract(float x, float y) { return x - y; }
FN double Subtract(double x, double y) { return x - y; }
template <class T> FN T Multiply(T x, T y) {
  typedef typename Unsigned<T>::type U;
  return T(U(x) * U(y));
}
FN float Multiply(float x, float y) { return x * y; }
FN double Multiply(double x, double y) { return x * y; }
FN bool Multiply(bool x, bool y) { return x && y; }
template <class T> FN T Divide(T x, T y) {
  if (y == T(0)) return T(-1);
  if (IsSigned<T>::value && y == T(-1)) return Subtract(T(0), x);
  return T(x / y);
}
FN float Divide(float x, float y) { return x / y; }
FN double Divide(double x, double y) { return x / y; }
template <class T> FN T Remainder(T x, T y) {
  if (y == T(0)) return x;
  if (IsSigned<T>::value && y == T(-1)) return T(0);
  return T(x % y);
}
FN float Remainder(float x, float y) { return fmodf(x, y); }
FN double Remainder(double x, double y) { return fmod(x, y); }
template <class T> FN T Maximum(T x, T y) { return x > y ? x : y; }
template <class T> FN T Minimum(T x, T y) { return x < y ? x : y; }
FN bool Maximum(bool x, bool y) { return x || y; }
FN bool Minimum(bool x, bool y) { return x && y; }
// NaN if either is; -0 < +0.
FN float Maximum(float x, float y) {
#ifdef __CUDA_ARCH__
  float z;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y));
  return z;
#else
  if (x == y) return FromBits(Bits(x) & Bits(y));
  return x > y || IsNan(x) ? x : y;
#endif
}
FN float Minimum(float x, float y) {
#ifdef __CUDA_ARCH__
  float z;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y));
  return z;
#else
  if (x == y) return FromBits(Bits(x) | Bits(y));
  return x < y || IsNan(x) ? x : y;
#endif
}
FN double Maximum(double x, double y) {
  if (x == y) return FromBits(Bits(x) & Bits(y));
  return x > y || IsNan(x) ? x : y;
}
FN double Minimum(double x, double y) {
  if (x == y) return FromBits(Bits(x) | Bits(y));
  return x < y || IsNan(x) ? x : y;
}
template <class T> FN T And(T x, T y) { return T(x & y); }
template <class T> FN T Or(T x, T y) { return T(x | y); }
template <class T> FN T Xor(T x, T y) { return T(x ^ y); }
template <class T> FN T Power(T x, T y) {
  if (IsSigned<T>::value && y < T(0)) {
    if (x == T(1)) return T(1);
    if (x == T(-1)) return (y & 1) != 0 ? T(-1) : T(1);
    return T(0);
  }
  T result = T(1);
  for (; y != T(0); y = T(y >> 1)) {
    if ((y & 1) != 0) result = Multiply(result, x);
    x = Multiply(x, x);
  }
  return result;
}
FN float Power(float x, float y) { return powf(x, y); }
FN double Power(double x, double y) { return pow(x, y); }
FN float Atan2(float x, float y) { return atan2f(x, y); }
FN double Atan2(double x, double y) { return atan2(x, y); }
template <class T> FN bool Fits(T amount) {
  typedef typename Unsigned<T>::type U;
  return amount >= T(0) && U(amount) < U(8 * sizeof(T));
}
template <class T> FN T ShiftLeft(T x, T y) {
  typedef typename Unsigned<T>::type U;
  return Fits(y) ? T(U(x) << U(y)) : T(0);
}
template <class T> FN T ShiftRightArithmetic(T x, T y) {
  const int bits = 8 * int(sizeof(T));
  const int amount = Fits(y) ? int(y) : bits - 1;
  // With the top bit as the sign, of unsigned types too.
  const s64 wide = s64(u64(x) << (64 - bits)) >> (64 - bits);
  return T(wide >> amount);
}
template <class T> FN T ShiftRightLogical(T x, T y) {
  const int bits = 8 * int(sizeof(T));
  const u64 wide = u64(x) << (64 - bits) >> (64 - bits);
  return Fits(y) ? T(wide >> int(y)) : T(0);
}

template <class T> FN T Abs(T x) { return x < T(0) ? Subtract(T(0), x) : x; }
FN float Abs(float x) { return fabsf(x); }
FN double Abs(double x) { return fabs(x); }
template <class T> FN T Negate(T x) { return Subtract(T(0), x); }
FN float Negate(float x) { return -x; }
FN double Negate(double x) { return -x; }
template <class T> FN T Not(T x) { return T(~x); }
FN bool Not(bool x) { return !x; }
template <class T> FN T Sign(T x) { return T(int(x > T(0)) - int(x < T(0))); }
FN float Sign(float x) { return x == 0 || IsNan(x) ? x : copysignf(1.0f, x); }
FN double Sign(double x) { return x == 0 || IsNan(x) ? x : copysign(1.0, x); }
template <class T> FN u64 LowBits(T x) {
  return u64(x) << (64 - 8 * sizeof(T)) >> (64 - 8 * sizeof(T));
}
template <class T> FN T Popcnt(T x) { return T(__popcll(LowBits(x))); }
template <class T> FN T CountLeadingZeros(T x) {
  return T(__clzll(s64(LowBits(x))) - (64 - 8 * int(sizeof(T))));
}
FN bool IsFinite(float x) { return fabsf(x) < FromBits(0x7f800000u); }
FN bool IsFinite(double x) { return fabs(x) < FromBits(0x7ff0000000000000ull); }
template <class T> FN T Real(T x) { return x; }
template <class T> FN T Imag(T x) { return T(0); }

#define FLOAT_FUNCTION(name, function) \
  FN float name(float x) { return function##f(x); } \
  FN double name(double x) { return function(x); }
FLOAT_FUNCTION(Cbrt, cbrt)
FLOAT_FUNCTION(Ceil, ceil)
FLOAT_FUNCTION(Cosine, cos)
FLOAT_FUNCTION(Erf, erf)
FLOAT_FUNCTION(Erfc, erfc)
FLOAT_FUNCTION(Exponential, exp)
FLOAT_FUNCTION(ExponentialMinusOne, expm1)
FLOAT_FUNCTION(Floor, floor)
FLOAT_FUNCTION(Log, log)
FLOAT_FUNCTION(LogPlusOne, log1p)
FLOAT_FUNCTION(RoundNearestAfz, round)
FLOAT_FUNCTION(RoundNearestEven, rint)
FLOAT_FUNCTION(Sine, sin)
FLOAT_FUNCTION(Sqrt, sqrt)
FLOAT_FUNCTION(Tan, tan)
FLOAT_FUNCTION(Tanh, tanh)
FN float Rsqrt(float x) { return 1.0f / sqrtf(x); }
FN double Rsqrt(double x) { return 1.0 / sqrt(x); }
FN float Logistic(float x) { return 1.0f / (1.0f + expf(-x)); }
FN double Logistic(double x) { return 1.0 / (1.0 + exp(-x)); }

FN s32 TotalOrder(float x) {
  const s32 key = s32(Bits(x));
  return key ^ s32(u32(key >> 31) >> 1);
}
FN s64 TotalOrder(double x) {
  const s64 key = s64(Bits(x));
  return key ^ s64(u64(key >> 63) >> 1);
}

// ---- conversions
template <class To, class From> FN To ToInteger(From x) {
  if (IsNan(x)) return To(0);
  const bool is_signed = IsSigned<To>::value;
  const int bits = 8 * int(sizeof(To)) - (is_signed ? 1 : 0);
  const From limit = From(u64(1) << (bits - 1)) * From(2);
  if (x >= limit) return To(~(u64(is_signed) << bits));
  if (!is_signed && x <= From(0)) return To(0);
  if (is_signed && x < -limit) return To(u64(1) << bits);
  return To(x);
}
// An integer of four and more bytes to a float from which f16 and bf16 are
// rounded as from the whole number.
template <class From> FN float IntegerToOdd(From x) {
  if (sizeof(From) == 8) {
    const u64 magnitude = x < From(0) ? u64(0) - u64(x) : u64(x);
    if (magnitude >= (u64(1) << 53)) {
      const u64 sticky = (u64(x) & 0x7ffu) != 0 ? 1 : 0;
      x = From(u64(u64(x >> 11) | sticky) << 11);
    }
  }
  return ToOdd(double(x));
}
template <class T>
FN T ReducePrecisionBits(T original, T sign_bit, T infinity, int dropped,
                         T limit, T smallest, bool is_nan, bool keeps_no_digit) {
  if (is_nan) return keeps_no_digit ? (original & sign_bit) | infinity : original;
  T bits = original;
  if (dropped > 0) {
    const T unit = T(1) << dropped;
    bits += unit / 2 - 1 + ((bits >> dropped) & 1);
    bits &= ~(unit - 1);
  }
  T magnitude = bits & ~sign_bit;
  if (magnitude >= limit) magnitude = infinity;
  if (magnitude < smallest) magnitude = 0;
  return (bits & sign_bit) | magnitude;
}
)cuda";

constexpr char kComplex[] = R"cuda(
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

constexpr char kThreads[] = R"cuda(
// ---- threads
// The value of the lane `distance` further on in the warp.
template <class T> FN T FromLane(T x, int distance) {
  enum { kWords = (sizeof(T) + 3) / 4 };
  union {
    T value;
    u32 words[kWords];
  } from, to;
  from.words[kWords - 1] = 0;
  from.value = x;
  for (int i = 0; i < kWords; ++i) {
    to.words[i] = __shfl_down_sync(0xffffffffu, from.words[i], distance);
  }
  return to.value;
}
// That of lane 0.
template <class T> FN T FromFirst(T x) {
  enum { kWords = (sizeof(T) + 3) / 4 };
  union {
    T value;
    u32 words[kWords];
  } from, to;
  from.words[kWords - 1] = 0;
  from.value = x;
  for (int i = 0; i < kWords; ++i) {
    to.words[i] = __shfl_sync(0xffffffffu, from.words[i], 0);
  }
  return to.value;
}
)cuda";

}  // namespace

absl::string_view DeviceLibrary() {
  static const auto* text =
      new std::string(absl::StrCat(kTypes, kScalars, kComplex, kThreads));
  return *text;
}

}  // namespace lockstep::internal
