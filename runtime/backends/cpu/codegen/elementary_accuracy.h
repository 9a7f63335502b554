#ifndef LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_ELEMENTARY_ACCURACY_H_
#define LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_ELEMENTARY_ACCURACY_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace lockstep::internal {

// How far results of an elementary function may be from the exact value, in
// units in the last place of the result, for every argument: f32 and f64.
// f16 and bf16 are computed in f32 and rounded.
struct ElementaryAccuracy {
  absl::string_view op;
  double f32_ulps;
  double f64_ulps;
};

absl::Span<const ElementaryAccuracy> ElementaryAccuracies();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_CPU_CODEGEN_ELEMENTARY_ACCURACY_H_
