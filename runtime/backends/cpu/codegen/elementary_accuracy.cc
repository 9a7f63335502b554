#include "runtime/backends/cpu/codegen/elementary_accuracy.h"

namespace lockstep::internal {
namespace {

constexpr ElementaryAccuracy kAccuracies[] = {
    {"chlo.erf", 1.5, 1},
    {"chlo.erfc", 1.5, 1.5},
    {"stablehlo.atan2", 1, 1},
    {"stablehlo.cbrt", 1, 1},
    {"stablehlo.cosine", 1, 1},
    {"stablehlo.exponential", 1, 1.5},
    {"stablehlo.exponential_minus_one", 2, 1},
    {"stablehlo.log", 1, 1},
    {"stablehlo.log_plus_one", 2, 1.5},
    {"stablehlo.logistic", 3, 3},
    {"stablehlo.power", 1, 1},
    {"stablehlo.rsqrt", 1.5, 1.5},
    {"stablehlo.sine", 1, 1},
    {"stablehlo.sqrt", 0.5, 0.5},
    {"stablehlo.tan", 1, 1},
    {"stablehlo.tanh", 3, 1.1},
};

}  // namespace

absl::Span<const ElementaryAccuracy> ElementaryAccuracies() {
  return kAccuracies;
}

}  // namespace lockstep::internal
