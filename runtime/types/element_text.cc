#include "runtime/types/element_text.h"

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "runtime/base/status.h"
#include "runtime/types/decimal.h"

namespace lockstep::internal {
namespace {

template <typename T>
constexpr bool kIsFloat =
    std::is_floating_point_v<T> || std::is_same_v<T, F16> ||
    std::is_same_v<T, BF16> || kIsSmallFloat<T>;
template <typename T>
constexpr bool kIsComplex = false;
template <typename T>
constexpr bool kIsComplex<std::complex<T>> = true;

template <size_t kSize>
using BitsOfSize = std::conditional_t<
    kSize == 1, uint8_t,
    std::conditional_t<kSize == 2, uint16_t,
                       std::conditional_t<kSize == 4, uint32_t, uint64_t>>>;
template <typename T>
using BitsOf = BitsOfSize<sizeof(T)>;

template <typename T>
absl::Status NotANumber(absl::string_view text, absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat(
      "expected ", expected, " of type ",
      StablehloName(ElementTypeOf<T>::value), ", found \"", text, "\""));
}

template <typename T>
absl::Status DoesNotFit(absl::string_view text, absl::string_view limits) {
  return absl::InvalidArgumentError(
      absl::StrCat(text, " does not fit ",
                   StablehloName(ElementTypeOf<T>::value), ": ", limits));
}

bool IsHex(absl::string_view text) {
  return absl::StartsWithIgnoreCase(text, "0x");
}

// `text` with "0x" in front.
template <typename T>
absl::Status ParseBits(absl::string_view text, T& value) {
  absl::string_view digits = text.substr(2);
  for (char c : digits) {
    if (!absl::ascii_isxdigit(c)) return NotANumber<T>(text, "hex digits");
  }
  if (digits.empty()) return NotANumber<T>(text, "hex digits");
  while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
  if (digits.size() > 2 * sizeof(T)) {
    return DoesNotFit<T>(
        text, absl::StrCat("it has more than ", 2 * sizeof(T), " hex digits"));
  }
  uint64_t bits = 0;
  for (char c : digits) {
    bits = bits << 4 |
           static_cast<uint64_t>(absl::ascii_isdigit(c)
                                     ? c - '0'
                                     : absl::ascii_tolower(c) - 'a' + 10);
  }
  if constexpr (kIsSmall<T>) {
    if (bits >> T::kWidth != 0) {
      return DoesNotFit<T>(
          text, absl::StrCat("it has more than ", T::kWidth, " bits"));
    }
  }
  if constexpr (kIsSmallInt<T>) {
    value = T(static_cast<typename T::Byte>(bits));
  } else {
    value = std::bit_cast<T>(static_cast<BitsOf<T>>(bits));
  }
  return absl::OkStatus();
}

absl::Status ParseElement(absl::string_view text, bool& value) {
  if (text == "true" || text == "1") {
    value = true;
  } else if (text == "false" || text == "0") {
    value = false;
  } else {
    return NotANumber<bool>(text, "true or false");
  }
  return absl::OkStatus();
}

template <typename T>
  requires std::is_integral_v<T>
absl::Status ParseElement(absl::string_view text, T& value) {
  if (IsHex(text)) return ParseBits(text, value);
  absl::string_view digits = text;
  const bool negative = absl::ConsumePrefix(&digits, "-");
  if (digits.empty()) return NotANumber<T>(text, "an integer");
  for (char c : digits) {
    if (!absl::ascii_isdigit(c)) return NotANumber<T>(text, "an integer");
  }
  constexpr uint64_t kMax = std::numeric_limits<T>::max();
  const uint64_t limit = !negative ? kMax : std::is_signed_v<T> ? kMax + 1 : 0;
  uint64_t magnitude = 0;
  if (!absl::SimpleAtoi(digits, &magnitude) || magnitude > limit) {
    return DoesNotFit<T>(
        text, absl::StrCat("expected ", +std::numeric_limits<T>::min(), " to ",
                           +std::numeric_limits<T>::max()));
  }
  value = static_cast<T>(negative ? -magnitude : magnitude);
  return absl::OkStatus();
}

template <typename T>
  requires kIsFloat<T>
absl::Status ParseElement(absl::string_view text, T& value) {
  if (IsHex(text)) return ParseBits(text, value);
  const std::optional<Decimal> decimal = ScanDecimal(text);
  if (!decimal.has_value()) return NotANumber<T>(text, "a number");
  if constexpr (kIsSmallFloat<T>) {
    value = T(RoundDecimal<double>(*decimal));
  } else {
    value = RoundDecimal<T>(*decimal);
  }
  if (!std::isfinite(static_cast<double>(value))) {
    return DoesNotFit<T>(text, "it is larger than the largest finite value");
  }
  return absl::OkStatus();
}

template <typename T>
  requires kIsSmallInt<T>
absl::Status ParseElement(absl::string_view text, T& value) {
  if (IsHex(text)) return ParseBits(text, value);
  typename T::Byte number;
  if (!ParseElement(text, number).ok() || number < T::kMin ||
      number > T::kMax) {
    return DoesNotFit<T>(text,
                         absl::StrCat("expected ", +T::kMin, " to ", +T::kMax));
  }
  value = T(number);
  return absl::OkStatus();
}

template <typename T>
absl::Status ParseElement(absl::string_view text, std::complex<T>& value) {
  absl::string_view parts = text;
  T real = 0;
  T imaginary = 0;
  if (!absl::ConsumePrefix(&parts, "(")) {
    RETURN_IF_ERROR(ParseElement(text, real));
  } else {
    const size_t comma = parts.find(',');
    if (comma == parts.npos || !absl::ConsumeSuffix(&parts, ")")) {
      return NotANumber<std::complex<T>>(text, "(real,imaginary)");
    }
    RETURN_IF_ERROR(
        ParseElement(absl::StripAsciiWhitespace(parts.substr(0, comma)), real));
    RETURN_IF_ERROR(ParseElement(
        absl::StripAsciiWhitespace(parts.substr(comma + 1)), imaginary));
  }
  value = {real, imaginary};
  return absl::OkStatus();
}

// A small float is a float, exactly.
template <typename T>
Decimal ShortestDecimalOf(T value) {
  if constexpr (kIsSmallFloat<T>) {
    return ShortestDecimal(static_cast<float>(value));
  } else {
    return ShortestDecimal(value);
  }
}

std::string Format(bool value) { return value ? "true" : "false"; }

template <typename T>
  requires std::is_integral_v<T>
std::string Format(T value) {
  return absl::StrCat(+value);
}

template <typename T>
  requires kIsSmallInt<T>
std::string Format(T value) {
  return absl::StrCat(+value.value);
}

template <typename T>
  requires kIsFloat<T>
std::string Format(T value) {
  if (!std::isfinite(static_cast<double>(value))) {
    return absl::StrFormat("0x%0*X", static_cast<int>(2 * sizeof(T)),
                           std::bit_cast<BitsOf<T>>(value));
  }
  const Decimal decimal = ShortestDecimalOf(value);
  const std::string sign = decimal.negative ? "-" : "";
  std::string digits = decimal.digits;
  const int64_t point = decimal.exponent;
  if (digits.empty()) return sign + "0.0";
  if (point < -3 || point > 16) {
    return absl::StrFormat("%s%c.%se%+03d", sign, digits[0],
                           digits.size() > 1 ? digits.substr(1) : "0",
                           point - 1);
  }
  if (point <= 0) return sign + "0." + std::string(-point, '0') + digits;
  if (static_cast<int64_t>(digits.size()) <= point) {
    digits.resize(point, '0');
    return sign + digits + ".0";
  }
  return sign + digits.substr(0, point) + "." + digits.substr(point);
}

template <typename T>
std::string Format(std::complex<T> value) {
  return absl::StrCat("(", Format(value.real()), ",", Format(value.imag()),
                      ")");
}

}  // namespace

absl::Status ParseDecimal(absl::string_view text, ElementType type,
                          std::byte* out) {
  return DispatchElementType(type, [&]<typename T>(std::type_identity<T>) {
    T value{};
    const absl::Status status = ParseElement(text, value);
    if (status.ok()) std::memcpy(out, &value, sizeof(T));
    return status;
  });
}

std::string FormatElement(ElementType type, const std::byte* element) {
  return DispatchElementType(type, [&]<typename T>(std::type_identity<T>) {
    T value;
    std::memcpy(&value, element, sizeof(T));
    return Format(value);
  });
}

}  // namespace lockstep::internal
