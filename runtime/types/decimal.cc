#include "runtime/types/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kExponentLimit = 1000000000;

// Takes the digits at the front of `text` and appends them to `digits`.
void TakeDigits(absl::string_view& text, std::string& digits) {
  size_t count = 0;
  while (count < text.size() && absl::ascii_isdigit(text[count])) ++count;
  absl::StrAppend(&digits, text.substr(0, count));
  text.remove_prefix(count);
}

bool TakeSign(absl::string_view& text) {
  if (text.empty() || (text[0] != '-' && text[0] != '+')) return false;
  const bool negative = text[0] == '-';
  text.remove_prefix(1);
  return negative;
}

// nullopt when no digit is there.
std::optional<int64_t> TakeExponent(absl::string_view& text) {
  const bool negative = TakeSign(text);
  std::string digits;
  TakeDigits(text, digits);
  if (digits.empty()) return std::nullopt;
  int64_t value = 0;
  for (char digit : digits) {
    value = std::min(value * 10 + (digit - '0'), kExponentLimit);
  }
  return negative ? -value : value;
}

// The nearest float or double to the magnitude.
template <typename T>
T RoundMagnitude(const Decimal& decimal) {
  if (decimal.digits.empty()) return 0;
  const std::string text =
      absl::StrCat("0.", decimal.digits, "e", decimal.exponent);
  T value = 0;
  const std::from_chars_result result =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::result_out_of_range) {
    return decimal.exponent > 0 ? std::numeric_limits<T>::infinity() : T{0};
  }
  LOCKSTEP_CHECK(result.ec == std::errc());
  return value;
}

// The sign of the magnitude minus `value`, which is finite and >= 0.
int CompareMagnitude(const Decimal& decimal, double value) {
  char buffer[1200];
  const std::to_chars_result end =
      std::to_chars(buffer, buffer + sizeof(buffer), value,
                    std::chars_format::scientific, 800);
  const Decimal exact =
      *ScanDecimal(absl::string_view(buffer, end.ptr - buffer));
  if (decimal.exponent != exact.exponent) {
    return decimal.exponent < exact.exponent ? -1 : 1;
  }
  return decimal.digits.compare(exact.digits);
}

template <typename Half>
Half RoundMagnitudeToHalf(const Decimal& decimal) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double value = RoundMagnitude<double>(decimal);
  if (std::isinf(value)) return Half(value);
  // Rounding twice goes wrong only where the double lies halfway between two
  // halves and the decimal does not.
  const double above = std::nextafter(value, kInfinity);
  const double below = std::nextafter(value, 0.0);
  if (Half(above).bits != Half(below).bits) {
    const int order = CompareMagnitude(decimal, value);
    if (order != 0) value = order > 0 ? above : below;
  }
  return Half(value);
}

}  // namespace

std::optional<Decimal> ScanDecimal(absl::string_view text) {
  Decimal decimal;
  decimal.negative = TakeSign(text);
  TakeDigits(text, decimal.digits);
  int64_t point = static_cast<int64_t>(decimal.digits.size());
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    TakeDigits(text, decimal.digits);
  }
  if (decimal.digits.empty()) return std::nullopt;
  if (!text.empty() && (text[0] == 'e' || text[0] == 'E')) {
    text.remove_prefix(1);
    const std::optional<int64_t> exponent = TakeExponent(text);
    if (!exponent.has_value()) return std::nullopt;
    point += *exponent;
  }
  if (!text.empty()) return std::nullopt;

  const size_t first = decimal.digits.find_first_not_of('0');
  if (first == std::string::npos) {
    decimal.digits.clear();
    return decimal;
  }
  decimal.digits.erase(decimal.digits.find_last_not_of('0') + 1);
  decimal.digits.erase(0, first);
  decimal.exponent = std::clamp(point - static_cast<int64_t>(first),
                                -kExponentLimit, kExponentLimit);
  return decimal;
}

template <typename T>
T RoundDecimal(const Decimal& decimal) {
  if constexpr (std::is_floating_point_v<T>) {
    const T magnitude = RoundMagnitude<T>(decimal);
    return decimal.negative ? -magnitude : magnitude;
  } else {
    const T magnitude = RoundMagnitudeToHalf<T>(decimal);
    return T::FromBits(magnitude.bits | (decimal.negative ? 0x8000 : 0));
  }
}

template <typename T>
Decimal ShortestDecimal(T value) {
  char buffer[64];
  const auto scan = [&](std::to_chars_result end) {
    return *ScanDecimal(absl::string_view(buffer, end.ptr - buffer));
  };
  if constexpr (std::is_floating_point_v<T>) {
    return scan(std::to_chars(buffer, buffer + sizeof(buffer), value,
                              std::chars_format::scientific));
  } else {
    const float exact = static_cast<float>(value);
    for (int precision = 0;; ++precision) {
      LOCKSTEP_CHECK(precision < 10);
      const Decimal decimal =
          scan(std::to_chars(buffer, buffer + sizeof(buffer), exact,
                             std::chars_format::scientific, precision));
      if (RoundDecimal<T>(decimal).bits == value.bits) return decimal;
    }
  }
}

template F16 RoundDecimal<F16>(const Decimal&);
template BF16 RoundDecimal<BF16>(const Decimal&);
template float RoundDecimal<float>(const Decimal&);
template double RoundDecimal<double>(const Decimal&);
template Decimal ShortestDecimal<F16>(F16);
template Decimal ShortestDecimal<BF16>(BF16);
template Decimal ShortestDecimal<float>(float);
template Decimal ShortestDecimal<double>(double);

}  // namespace lockstep::internal
