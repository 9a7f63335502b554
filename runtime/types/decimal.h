#ifndef LOCKSTEP_RUNTIME_TYPES_DECIMAL_H_
#define LOCKSTEP_RUNTIME_TYPES_DECIMAL_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "runtime/types/half.h"

namespace lockstep::internal {

// A decimal number, exactly: 0.d1d2d3... * 10^exponent.
struct Decimal {
  bool negative = false;
  std::string digits;    // without zeros at either end; empty for zero
  int64_t exponent = 0;  // at most a billion in magnitude, larger ones are cut
};

// "[+-]digits[.digits][e[+-]digits]"; a point needs a digit on one side.
// nullopt for everything else.
std::optional<Decimal> ScanDecimal(absl::string_view text);

// The value of type T (F16, BF16, float, double) nearest to `decimal`, ties to
// even, rounded once. Beyond the largest finite value: infinity.
template <typename T>
T RoundDecimal(const Decimal& decimal);

// The fewest digits that RoundDecimal takes back to `value`, which must be
// finite.
template <typename T>
Decimal ShortestDecimal(T value);

extern template F16 RoundDecimal<F16>(const Decimal&);
extern template BF16 RoundDecimal<BF16>(const Decimal&);
extern template float RoundDecimal<float>(const Decimal&);
extern template double RoundDecimal<double>(const Decimal&);
extern template Decimal ShortestDecimal<F16>(F16);
extern template Decimal ShortestDecimal<BF16>(BF16);
extern template Decimal ShortestDecimal<float>(float);
extern template Decimal ShortestDecimal<double>(double);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_TYPES_DECIMAL_H_
