#ifndef LOCKSTEP_TESTS_CONFORMANCE_BACKEND_DIFFERENTIAL_H_
#define LOCKSTEP_TESTS_CONFORMANCE_BACKEND_DIFFERENTIAL_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// Programs of one device on the cpu backend beside the interpreter.

// Values of every kind for the type: zeros, ones, extremes, infinities, NaN,
// denormals, halves between integers; `seed` says where they begin.
Literal TrickyValues(const Shape& shape, uint64_t seed);
// Small integers, so that sums and products are exact in every type.
Literal SmallValues(const Shape& shape, uint64_t seed);

// "" when both agree for these arguments within `ulps`; else what differs.
// `is_optimized`: the cpu backend gets the program after the passes.
std::string Disagreement(absl::string_view text,
                         const std::vector<Literal>& arguments, int64_t ulps,
                         bool is_optimized = false);

// Same, with arguments of the program's own types. "" also when the program
// does not verify: then the op does not take the type.
std::string DisagreementOn(absl::string_view text, bool tricky, int64_t ulps,
                           bool is_optimized = false);

bool Verifies(absl::string_view text);

// The results of both, for comparisons of another kind.
struct BothResults {
  std::vector<Literal> oracle, cpu;
};
absl::StatusOr<BothResults> RunOnBoth(absl::string_view text,
                                      const std::vector<Literal>& arguments,
                                      bool is_optimized = false);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_CONFORMANCE_BACKEND_DIFFERENTIAL_H_
