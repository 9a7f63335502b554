#include "runtime/types/half.h"

#include <bit>

namespace lockstep {
namespace {

// Formats with 1 sign bit, `kExponent` exponent bits and `kMantissa` stored
// mantissa bits, 16 in all.
template <int kExponent, int kMantissa>
uint16_t RoundDouble(double value) {
  constexpr int kBias = (1 << (kExponent - 1)) - 1;
  constexpr uint16_t kInfinity = ((1 << kExponent) - 1) << kMantissa;
  constexpr uint16_t kQuiet = 1 << (kMantissa - 1);

  const uint64_t bits = std::bit_cast<uint64_t>(value);
  const uint16_t sign = static_cast<uint16_t>(bits >> 63 << 15);
  const int exponent = static_cast<int>(bits >> 52 & 0x7FF);
  const uint64_t mantissa = bits & ((uint64_t{1} << 52) - 1);
  if (exponent == 0x7FF) {
    if (mantissa == 0) return sign | kInfinity;
    return sign | kInfinity | kQuiet |
           static_cast<uint16_t>(mantissa >> (52 - kMantissa));
  }

  const int target = exponent - 1023 + kBias;
  if (target >= (1 << kExponent) - 1) return sign | kInfinity;
  // A subnormal result keeps fewer bits; below half of the least one it is 0.
  const int shift = 52 - kMantissa + (target <= 0 ? 1 - target : 0);
  if (exponent == 0 || shift > 53) return sign;
  const uint64_t significand = mantissa | uint64_t{1} << 52;
  const uint64_t half = uint64_t{1} << (shift - 1);
  const uint64_t rest = significand & ((half << 1) - 1);
  uint64_t result = significand >> shift;
  if (target > 0) result += static_cast<uint64_t>(target - 1) << kMantissa;
  // A carry runs into the exponent, at the end into infinity: both are right.
  if (rest > half || (rest == half && (result & 1) != 0)) ++result;
  return sign | static_cast<uint16_t>(result);
}

}  // namespace

uint16_t FloatToF16Bits(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint16_t sign = static_cast<uint16_t>(bits >> 31 << 15);
  const uint32_t magnitude = bits & 0x7FFFFFFF;
  // Normal results: exponents from -14 to 15.
  if (magnitude >= 0x38800000 && magnitude < 0x47800000) {
    const uint32_t rebased = magnitude - (uint32_t{127 - 15} << 23);
    const uint32_t odd = rebased >> 13 & 1;
    return sign | static_cast<uint16_t>((rebased + 0xFFF + odd) >> 13);
  }
  return RoundDouble<5, 10>(value);
}

uint16_t FloatToBF16Bits(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000) {
    return static_cast<uint16_t>(bits >> 16 | 0x40);
  }
  return static_cast<uint16_t>((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

uint16_t DoubleToF16Bits(double value) { return RoundDouble<5, 10>(value); }
uint16_t DoubleToBF16Bits(double value) { return RoundDouble<8, 7>(value); }

float F16BitsToFloat(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits >> 15) << 31;
  const uint32_t exponent = bits >> 10 & 0x1F;
  const uint32_t mantissa = bits & 0x3FF;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
  }
  if (exponent == 0x1F) {
    return std::bit_cast<float>(sign | 0x7F800000 | mantissa << 13);
  }
  return std::bit_cast<float>(sign | (exponent + 127 - 15) << 23 |
                              mantissa << 13);
}

}  // namespace lockstep
