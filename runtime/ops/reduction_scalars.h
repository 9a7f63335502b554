#ifndef LOCKSTEP_RUNTIME_OPS_REDUCTION_SCALARS_H_
#define LOCKSTEP_RUNTIME_OPS_REDUCTION_SCALARS_H_

#include <concepts>

#include "absl/strings/string_view.h"
#include "runtime/types/scalar_math.h"

namespace lockstep::internal {

// Calls f with the scalar operation of a body of one op (SingleOpBody), unless
// there is none for T. Returns whether it did. What reduces with it accumulates
// in ComputeType<T> and rounds once, at the end: f16 and bf16 in f32.
template <typename T, typename F>
bool DispatchReduction(absl::string_view name, F f) {
  if (name == "stablehlo.add") return f(AddScalars()), true;
  if (name == "stablehlo.multiply") return f(MultiplyScalars()), true;
  if (name == "stablehlo.maximum") return f(MaximumScalars()), true;
  if (name == "stablehlo.minimum") return f(MinimumScalars()), true;
  if constexpr (std::integral<T>) {
    if (name == "stablehlo.and") return f(AndScalars()), true;
    if (name == "stablehlo.or") return f(OrScalars()), true;
  }
  return false;
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_REDUCTION_SCALARS_H_
