#ifndef LOCKSTEP_TESTS_CUDA_EMULATION_SMALL_FLOATS_H_
#define LOCKSTEP_TESTS_CUDA_EMULATION_SMALL_FLOATS_H_

#include <bit>
#include <cmath>
#include <cstdint>

// Floats of 16 and 8 bits in memory, and as what they are computed with. Other
// types are computed as themselves.

namespace lockstep::internal::cuda {

struct Half {
  uint16_t bits;
};
struct Bfloat {
  uint16_t bits;
};
struct Float8E4M3 {  // no infinities
  uint8_t bits;
};
struct Float8E5M2 {
  uint8_t bits;
};

inline float Widen(Half x) {
  uint32_t sign = (x.bits & 0x8000u) << 16;
  uint32_t exponent = (x.bits >> 10) & 31;
  uint32_t fraction = x.bits & 0x3ffu;
  if (exponent == 0) {
    float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return sign == 0 ? magnitude : -magnitude;
  }
  exponent = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | exponent << 23 | fraction << 13);
}

inline float Widen(Bfloat x) {
  return std::bit_cast<float>(static_cast<uint32_t>(x.bits) << 16);
}

inline float Widen(Float8E4M3 x) {
  int exponent = x.bits >> 3 & 15;
  int fraction = x.bits & 7;
  if ((x.bits & 0x7f) == 0x7f) return NAN;
  float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -9)
                                  : std::ldexp(static_cast<float>(8 + fraction),
                                               exponent - 10);
  return (x.bits & 0x80) == 0 ? magnitude : -magnitude;
}

inline float Widen(Float8E5M2 x) {
  return Widen(Half{static_cast<uint16_t>(x.bits << 8)});
}

template <class T>
T Widen(T x) {
  return x;
}

// To nearest, ties to even.
inline void Round(float x, Half& to) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000u);
  float magnitude = std::fabs(x);
  uint32_t result;
  if (std::isnan(x)) {
    result = 0x7e00;
  } else if (magnitude >= 65520.0f) {
    result = 0x7c00;
  } else if (magnitude < 0x1p-14f) {
    result = static_cast<uint32_t>(std::nearbyint(magnitude * 0x1p24f));
  } else {
    uint32_t rest = bits & 0x7fffffffu;
    rest += 0xfff + (rest >> 13 & 1);
    result = (rest >> 13) - (112u << 10);
  }
  to.bits = static_cast<uint16_t>(sign | result);
}

inline void Round(float x, Bfloat& to) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  if (std::isnan(x)) {
    bits |= 0x400000u;
  } else {
    bits += 0x7fff + (bits >> 16 & 1);
  }
  to.bits = static_cast<uint16_t>(bits >> 16);
}

template <class T>
void Round(T x, T& to) {
  to = x;
}

// What TF32 keeps of a float: 10 bits of the fraction, to nearest.
inline float RoundToTf32(float x) {
  if (!std::isfinite(x)) return x;
  uint32_t bits = std::bit_cast<uint32_t>(x);
  return std::bit_cast<float>((bits + 0x1000u) & ~0x1fffu);
}

}  // namespace lockstep::internal::cuda

#endif  // LOCKSTEP_TESTS_CUDA_EMULATION_SMALL_FLOATS_H_
