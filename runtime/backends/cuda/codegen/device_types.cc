#include "runtime/backends/cuda/codegen/device_library.h"

namespace lockstep::internal {

absl::string_view DeviceTypes() {
  return R"cuda(
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
FN u16 ToBf16(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  u16 bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
#else
  return u16(RoundedBf16(x) >> 16);
#endif
}
FN float RoundF16(float x) { return FromF16(ToF16(x)); }
FN float RoundBf16(float x) { return FromBf16(ToBf16(x)); }
// To float, so that rounding once more is as if from the double.
FN float ToOdd(double x) {
  const float nearest = float(x);
  const double back = double(nearest);
  if (IsNan(x) || back == x) return nearest;
  u32 bits = Bits(nearest);
  if (Magnitude(back) > Magnitude(x)) bits -= 1;
  return FromBits(bits | 1u);
}

// ---- floats of 8 bits and fewer: the bits of exponent and mantissa, the bias,
// and what the largest exponent and the negative zero stand for
enum Special { kIeee, kFinite, kNan, kNegative, kScale };
template <int E, int M, Special S> FN u32 LargestSmall() {
  const u32 sign = 1u << (E + M);
  if (S == kIeee) return sign - (1u << M) - 1u;
  return S == kNan || S == kScale ? sign - 2u : sign - 1u;
}
template <int E, int M, Special S> FN u32 NanSmall() {
  const u32 sign = 1u << (E + M);
  if (S == kIeee) return sign - (1u << M) / 2u;
  return S == kNan || S == kScale ? sign - 1u : sign;
}
template <int E, int M, int B, Special S> FN float FromSmall(u8 bits) {
  const u32 sign_bit = 1u << (E + M);
  if (S == kScale) {
    if (bits == 0xff) return FromBits(0x7fc00000u);
    return FromBits(bits == 0 ? 0x400000u : u32(bits) << 23);
  }
  if (S == kNegative && bits == sign_bit) return FromBits(0x7fc00000u);
  const u32 rest = bits & (sign_bit - 1u);
  const u32 sign = (bits & sign_bit) << (31 - E - M);
  const u32 largest = LargestSmall<E, M, S>();
  if (rest > largest) {
    const bool is_infinite = S == kIeee && rest == largest + 1u;
    return FromBits(sign | (is_infinite ? 0x7f800000u : 0x7fc00000u));
  }
  if (rest >= (1u << M)) {
    return FromBits(sign | ((rest << (23 - M)) + (u32(127 - B) << 23)));
  }
  const float unit = FromBits(u32(128 - B - M) << 23);
  return FromBits(sign | Bits(float(rest) * unit));
}
template <int E, int M, int B, Special S> FN u8 ToSmall(float x) {
  const u32 all = Bits(x);
  const u32 magnitude = all & 0x7fffffffu;
  if (S == kScale) {
    if (!(x > 0)) return 0xff;
    const u32 exponent = magnitude >> 23;
    const u32 halfway = exponent == 0 ? 0x600000u : 0x400000u;
    return u8(exponent + ((magnitude & 0x7fffffu) >= halfway ? 1u : 0u));
  }
  u32 sign = (all >> (31 - E - M)) & (1u << (E + M));
  const u32 largest = LargestSmall<E, M, S>();
  u32 rest;
  if (magnitude > 0x7f800000u) {
    rest = NanSmall<E, M, S>();
    if (S == kFinite) sign = 0;
  } else if (magnitude < (u32(128 - B) << 23)) {
    // The sum with a number whose unit is that of denormals is rounded to it.
    const u32 large = u32(151 - B - M) << 23;
    rest = Bits(FromBits(magnitude) + FromBits(large)) - large;
  } else {
    const u32 odd = (magnitude >> (23 - M)) & 1u;
    rest = ((magnitude + odd + (1u << (22 - M)) - 1u) >> (23 - M)) -
           (u32(127 - B) << M);
  }
  if (magnitude <= 0x7f800000u && rest > largest) {
    rest = S == kFinite ? largest : S == kIeee ? largest + 1u
                                               : NanSmall<E, M, S>();
  }
  if (S == kNegative && rest == 0) sign = 0;
  return u8(rest | sign);
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
    #pragma unroll
    for (int i = 0; i < kBytes / kWord; ++i) {
      pack.parts[i] = reinterpret_cast<const Part*>(p)[i];
    }
  }
  FN void Store(const Pack& pack, T* p) {
    #pragma unroll
    for (int i = 0; i < kBytes / kWord; ++i) {
      reinterpret_cast<Part*>(p)[i] = pack.parts[i];
    }
  }
};
// A row of N elements in shared memory, of which columns lie in different banks.
template <class T, int N> struct Tile { T elements[N + 1]; };
)cuda";
}

}  // namespace lockstep::internal
