#ifndef LOCKSTEP_RUNTIME_CONFORMANCE_CHECK_RULES_H_
#define LOCKSTEP_RUNTIME_CONFORMANCE_CHECK_RULES_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "runtime/types/literal.h"

namespace lockstep::internal {

// How a check compares a result with what is expected. The suites choose rule
// and limits; nothing is added here. Pure functions, thread-safe.
struct CheckRule {
  enum class Kind {
    kEqual,        // integers by bits, floats by ==
    kAlmostEqual,  // |a - b| <= tolerance; NaN matches NaN
    kClose,        // min_ulp <= ULP distance <= max_ulp; floats and complex
  };
  Kind kind = Kind::kEqual;
  double tolerance = 0;
  uint64_t min_ulp = 0;
  uint64_t max_ulp = 0;
};

inline constexpr uint64_t kMaximalUlp = std::numeric_limits<uint64_t>::max();

// Between element `index` of two literals of one float or complex type. 0: the
// same bits, -0 and +0, NaN and NaN. kMaximalUlp: NaN and a number, an infinity
// and anything else. Otherwise the number of steps on the line of the type's
// values. Complex: the larger of the two parts.
uint64_t UlpDistance(const LiteralView& a, const LiteralView& b, int64_t index);

// What is wrong, nullopt when the rule holds: types first, then the first
// element, with its index, both values and the distance.
std::optional<std::string> Mismatch(const CheckRule& rule,
                                    const LiteralView& found,
                                    const LiteralView& expected);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CONFORMANCE_CHECK_RULES_H_
