#include "runtime/backends/cuda/codegen/device_library.h"

namespace lockstep::internal {

absl::string_view DeviceScalars() {
  return R"cuda(
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
  if (x >= limit) return To(is_signed ? (u64(1) << bits) - 1 : ~u64(0));
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
}

}  // namespace lockstep::internal
