#include "tests/conformance/backend/literal_distance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

// Floats as integers in their order.
template <typename T>
auto OrderOf(T value) {
  using Bits = std::conditional_t<
      sizeof(T) == 8, int64_t,
      std::conditional_t<sizeof(T) == 4, int32_t,
                         std::conditional_t<sizeof(T) == 2, int16_t, int8_t>>>;
  Bits bits;
  std::memcpy(&bits, &value, sizeof(T));
  const auto magnitude = static_cast<int64_t>(bits) &
                         static_cast<int64_t>(std::numeric_limits<Bits>::max());
  return bits < 0 ? -magnitude - 1 : magnitude;
}

// Both parts to the precision of the larger one: what complex arithmetic can
// promise.
template <typename R>
bool IsNearAsWhole(std::complex<R> a, std::complex<R> b, int64_t ulps) {
  const R larger = std::max(std::abs(a.real()), std::abs(a.imag()));
  const R unit = larger - std::nextafter(larger, R{0}) +
                 std::numeric_limits<R>::denorm_min();
  const R room = static_cast<R>(ulps) * unit;
  return std::abs(a.real() - b.real()) <= room &&
         std::abs(a.imag() - b.imag()) <= room;
}

template <typename T>
bool IsNear(T a, T b, int64_t ulps) {
  if constexpr (requires { a.imag(); }) {
    const bool is_finite = std::isfinite(a.real()) && std::isfinite(a.imag());
    if (ulps > 0 && is_finite) return IsNearAsWhole(a, b, ulps);
    return IsNear(a.real(), b.real(), ulps) && IsNear(a.imag(), b.imag(), ulps);
  } else if constexpr (std::is_integral_v<T>) {
    return a == b;
  } else if constexpr (requires { static_cast<double>(a); }) {
    const double x = static_cast<double>(a), y = static_cast<double>(b);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    if (x == 0 && y == 0) return std::signbit(x) == std::signbit(y);
    const int64_t p = OrderOf(a), q = OrderOf(b);
    if (std::signbit(x) != std::signbit(y)) {
      return std::abs(p) + std::abs(q) <= ulps;
    }
    return std::abs(p - q) <= ulps;
  } else {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
  }
}

}  // namespace

std::string FirstDifference(const LiteralView& expected,
                            const LiteralView& found, int64_t ulps) {
  if (expected.shape() != found.shape()) {
    return absl::StrCat("expected ", expected.shape().ToString(), ", found ",
                        found.shape().ToString());
  }
  return DispatchElementType(
      expected.shape().element_type(),
      [&]<typename T>(std::type_identity<T>) -> std::string {
        const auto x = expected.data<T>();
        const auto y = found.data<T>();
        for (size_t i = 0; i < x.size(); ++i) {
          if (IsNear(x[i], y[i], ulps)) continue;
          const Shape scalar(expected.shape().element_type(), {});
          return absl::StrCat(
              "element ", i, " of ", expected.shape().ToString(), ": expected ",
              ToString(LiteralView(scalar, expected.bytes() + i * sizeof(T))),
              ", found ",
              ToString(LiteralView(scalar, found.bytes() + i * sizeof(T))));
        }
        return "";
      });
}

}  // namespace lockstep::internal
