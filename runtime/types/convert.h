#ifndef LOCKSTEP_RUNTIME_TYPES_CONVERT_H_
#define LOCKSTEP_RUNTIME_TYPES_CONVERT_H_

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "runtime/types/half.h"
#include "runtime/types/literal.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {

// One element as stablehlo.convert turns it into another type:
//   integer -> integer      drops high bits or extends by sign
//   integer -> float        nearest, ties to even; rounded once
//   float   -> integer      toward zero; saturates; NaN gives 0
//   float   -> float        nearest, ties to even; overflow gives infinity; a
//                           NaN stays a quiet NaN
//   number  -> i1           nonzero is true, NaN is true
//   i1      -> number       0 or 1
//   complex -> not complex  the real part, converted
template <typename To, typename From>
To ConvertElement(From value);

// to[i] = from[i], converted. The shapes must have the same dims; the bytes
// must not overlap.
void ConvertElements(const LiteralView& from, const MutableLiteralView& to);

namespace convert_internal {

template <typename T>
constexpr bool kIsHalf = std::is_same_v<T, F16> || std::is_same_v<T, BF16>;

template <typename To>
To SaturatingCast(double value) {
  constexpr int kBits = std::numeric_limits<To>::digits;
  if (std::isnan(value)) return 0;
  if (value >= std::ldexp(1.0, kBits)) return std::numeric_limits<To>::max();
  if (value <= static_cast<double>(std::numeric_limits<To>::min())) {
    return std::numeric_limits<To>::min();
  }
  return static_cast<To>(value);
}

// A double that rounds to a half as `value` does: where bits do not fit, the
// lowest one that does says whether any was lost.
template <typename From>
double StickyDouble(From value) {
  if constexpr (sizeof(From) < 8) {
    return static_cast<double>(value);
  } else {
    const bool negative = value < 0;
    const uint64_t bits = static_cast<uint64_t>(value);
    uint64_t magnitude = negative ? -bits : bits;
    double scale = negative ? -1.0 : 1.0;
    if (magnitude >> 53 != 0) {
      magnitude = magnitude >> 11 | ((magnitude & 0x7FF) != 0);
      scale *= 2048;
    }
    return static_cast<double>(magnitude) * scale;
  }
}

}  // namespace convert_internal

template <typename To, typename From>
To ConvertElement(From value) {
  using convert_internal::kIsHalf;
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (kIsSmallInt<From>) {
    return ConvertElement<To>(value.value);
  } else if constexpr (kIsSmallFloat<From>) {
    return ConvertElement<To>(static_cast<float>(value));
  } else if constexpr (kIsSmallInt<To> && kIsComplex<From>) {
    return ConvertElement<To>(value.real());
  } else if constexpr (kIsSmallInt<To> && kIsHalf<From>) {
    return ConvertElement<To>(static_cast<float>(value));
  } else if constexpr (kIsSmallInt<To> && std::is_floating_point_v<From>) {
    if (value != value) return To();
    return To(static_cast<typename To::Byte>(
        std::clamp<From>(value, To::kMin, To::kMax)));
  } else if constexpr (kIsSmallInt<To>) {
    return To(static_cast<typename To::Byte>(value));
  } else if constexpr (kIsSmallFloat<To>) {
    return To(ConvertElement<double>(value));
  } else if constexpr (kIsComplex<To>) {
    using Part = typename To::value_type;
    if constexpr (kIsComplex<From>) {
      return To(static_cast<Part>(value.real()),
                static_cast<Part>(value.imag()));
    } else {
      return To(ConvertElement<Part>(value), Part{0});
    }
  } else if constexpr (kIsComplex<From>) {
    return ConvertElement<To>(value.real());
  } else if constexpr (kIsHalf<From>) {
    return ConvertElement<To>(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From{0};
  } else if constexpr (kIsHalf<To>) {
    if constexpr (std::is_floating_point_v<From>) {
      return To(value);
    } else {
      return To(convert_internal::StickyDouble(value));
    }
  } else if constexpr (std::is_integral_v<To> &&
                       std::is_floating_point_v<From>) {
    return convert_internal::SaturatingCast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_TYPES_CONVERT_H_
