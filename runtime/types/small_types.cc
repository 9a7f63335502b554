#include "runtime/types/small_types.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/types/small_float_format.h"

namespace lockstep {
namespace {

using internal::LargestBits;
using internal::NanBits;
using internal::SignBit;
using Special = SmallFloatFormat::Special;

// The bits of a finite magnitude, which may be those after the largest.
int RoundMagnitude(double magnitude, const SmallFloatFormat& format) {
  // The scale format has no subnormal numbers: its exponents begin at 0.
  const bool is_scale = format.special == Special::kScale;
  const int lowest = (is_scale ? 0 : 1) - format.bias;
  const int exponent =
      magnitude == 0 ? lowest : std::max(std::ilogb(magnitude), lowest);
  if (exponent > format.bias + 2) return LargestBits(format) + 1;
  // Multiples of the last place; a carry goes on into the exponent.
  const double multiple =
      std::nearbyint(std::ldexp(magnitude, format.mantissa_bits - exponent));
  const int hidden = 1 << format.mantissa_bits;
  if (is_scale) return exponent - lowest + std::max<int>(multiple, 1) - 1;
  return (exponent - lowest) * hidden + static_cast<int>(multiple);
}

}  // namespace

uint8_t DoubleToSmallFloat(double value, const SmallFloatFormat& format) {
  const bool is_scale = format.special == Special::kScale;
  const int sign = std::signbit(value) && !is_scale ? SignBit(format) : 0;
  if (std::isnan(value)) {
    const bool has_sign =
        format.special == Special::kIeee || format.special == Special::kNan;
    return static_cast<uint8_t>(NanBits(format) | (has_sign ? sign : 0));
  }
  // No scale is zero; ml_dtypes has NaN for it too.
  if (is_scale && value <= 0) return NanBits(format);
  const int largest = LargestBits(format);
  const int bits = std::isinf(value) ? largest + 1
                                     : RoundMagnitude(std::fabs(value), format);
  if (bits == 0 && format.special == Special::kNegative) return 0;
  if (bits <= largest) return static_cast<uint8_t>(bits | sign);
  switch (format.special) {
    case Special::kIeee:
      return static_cast<uint8_t>((largest + 1) | sign);
    case Special::kFinite:
      return static_cast<uint8_t>(largest | sign);
    case Special::kNan:
      return static_cast<uint8_t>(NanBits(format) | sign);
    case Special::kNegative:
    case Special::kScale:
      return NanBits(format);
  }
  return 0;
}

float SmallFloatToFloat(uint8_t bits, const SmallFloatFormat& format) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  if (format.special == Special::kScale) {
    return bits == 0xFF ? kNan : std::ldexp(1.0f, bits - format.bias);
  }
  const int sign_bit = SignBit(format);
  const float sign = (bits & sign_bit) != 0 ? -1.0f : 1.0f;
  if (format.special == Special::kNegative && bits == sign_bit) return kNan;
  const int magnitude = bits & (sign_bit - 1);
  if (magnitude > LargestBits(format)) {
    const bool is_infinite = format.special == Special::kIeee &&
                             magnitude == LargestBits(format) + 1;
    return std::copysign(
        is_infinite ? std::numeric_limits<float>::infinity() : kNan, sign);
  }
  const int hidden = 1 << format.mantissa_bits;
  const int exponent = magnitude / hidden;
  const int mantissa = exponent == 0 ? magnitude : hidden + magnitude % hidden;
  return std::ldexp(sign * static_cast<float>(mantissa),
                    std::max(exponent, 1) - format.bias - format.mantissa_bits);
}

}  // namespace lockstep
