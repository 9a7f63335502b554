#ifndef LOCKSTEP_RUNTIME_TYPES_SMALL_TYPES_H_
#define LOCKSTEP_RUNTIME_TYPES_SMALL_TYPES_H_

#include <cstdint>
#include <type_traits>

namespace lockstep {

// An integer of 2 or 4 bits, in a byte of its own: extended by its sign, or by
// zeros. Computes as int8_t or uint8_t and wraps when it goes back.
template <int kBits, bool kSigned>
struct SmallInt {
  using Byte = std::conditional_t<kSigned, int8_t, uint8_t>;
  static constexpr int kWidth = kBits;
  static constexpr Byte kMax = (1 << (kBits - (kSigned ? 1 : 0))) - 1;
  static constexpr Byte kMin = kSigned ? -kMax - 1 : 0;

  SmallInt() = default;
  // The low bits.
  explicit SmallInt(Byte low)
      : value(static_cast<Byte>(static_cast<Byte>(low << (8 - kBits)) >>
                                (8 - kBits))) {}
  template <typename T>
    requires std::is_arithmetic_v<T>
  explicit operator T() const {
    return static_cast<T>(value);
  }
  // The bits alone, as in program text: 0 .. 2^kBits - 1.
  uint8_t bits() const {
    return static_cast<uint8_t>(value) & ((1 << kBits) - 1);
  }

  Byte value = 0;
};

using S2 = SmallInt<2, true>;
using U2 = SmallInt<2, false>;
using S4 = SmallInt<4, true>;
using U4 = SmallInt<4, false>;

// How a float of 8 bits or fewer is laid out, lowest bits first: mantissa,
// exponent, sign.
struct SmallFloatFormat {
  // What the largest exponent and the negative zero stand for.
  enum class Special {
    kIeee,      // infinities and NaNs
    kFinite,    // numbers only
    kNan,       // all ones is NaN, no infinities (FN)
    kNegative,  // -0 is NaN, no infinities (FNUZ)
    kScale,     // no sign, no mantissa, no zero; all ones is NaN (E8M0FNU)
  };
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Special special;
};

// Round to nearest, ties to even. Beyond the largest finite value: infinity
// where there is one, else NaN, else the largest. NaN without a NaN gives -0.
uint8_t DoubleToSmallFloat(double value, const SmallFloatFormat& format);
// Exact.
float SmallFloatToFloat(uint8_t bits, const SmallFloatFormat& format);

// A float of 8 bits or fewer, in a byte. Only storage: it converts.
template <int kExponentBits, int kMantissaBits, int kBias,
          SmallFloatFormat::Special kSpecial>
struct SmallFloat {
  static constexpr SmallFloatFormat kFormat = {kExponentBits, kMantissaBits,
                                               kBias, kSpecial};
  static constexpr int kWidth =
      kExponentBits + kMantissaBits +
      (kSpecial == SmallFloatFormat::Special::kScale ? 0 : 1);

  SmallFloat() = default;
  explicit SmallFloat(double value)
      : value(DoubleToSmallFloat(value, kFormat)) {}
  explicit operator float() const { return SmallFloatToFloat(value, kFormat); }
  explicit operator double() const { return SmallFloatToFloat(value, kFormat); }
  uint8_t bits() const { return value; }
  static SmallFloat FromBits(uint8_t bits) {
    SmallFloat number;
    number.value = bits;
    return number;
  }

  uint8_t value = 0;
};

using F8E5M2 = SmallFloat<5, 2, 15, SmallFloatFormat::Special::kIeee>;
using F8E4M3 = SmallFloat<4, 3, 7, SmallFloatFormat::Special::kIeee>;
using F8E3M4 = SmallFloat<3, 4, 3, SmallFloatFormat::Special::kIeee>;
using F8E4M3FN = SmallFloat<4, 3, 7, SmallFloatFormat::Special::kNan>;
using F8E4M3FNUZ = SmallFloat<4, 3, 8, SmallFloatFormat::Special::kNegative>;
using F8E5M2FNUZ = SmallFloat<5, 2, 16, SmallFloatFormat::Special::kNegative>;
using F8E4M3B11FNUZ =
    SmallFloat<4, 3, 11, SmallFloatFormat::Special::kNegative>;
using F8E8M0FNU = SmallFloat<8, 0, 127, SmallFloatFormat::Special::kScale>;
using F6E2M3FN = SmallFloat<2, 3, 1, SmallFloatFormat::Special::kFinite>;
using F6E3M2FN = SmallFloat<3, 2, 3, SmallFloatFormat::Special::kFinite>;
using F4E2M1FN = SmallFloat<2, 1, 1, SmallFloatFormat::Special::kFinite>;

template <typename T>
inline constexpr bool kIsSmallInt = false;
template <int kBits, bool kSigned>
inline constexpr bool kIsSmallInt<SmallInt<kBits, kSigned>> = true;
template <typename T>
inline constexpr bool kIsSmallFloat = false;
template <int kExponentBits, int kMantissaBits, int kBias,
          SmallFloatFormat::Special kSpecial>
inline constexpr bool
    kIsSmallFloat<SmallFloat<kExponentBits, kMantissaBits, kBias, kSpecial>> =
        true;
template <typename T>
inline constexpr bool kIsSmall = kIsSmallInt<T> || kIsSmallFloat<T>;

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_TYPES_SMALL_TYPES_H_
