#include "runtime/collectives/reduction_mode.h"

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

std::string ReductionModeName(ReductionMode mode) {
  return mode == ReductionMode::kOrdered ? "ordered" : "fast";
}

absl::StatusOr<ReductionMode> ParseReductionMode(absl::string_view name) {
  for (ReductionMode mode : {ReductionMode::kFast, ReductionMode::kOrdered}) {
    if (name == ReductionModeName(mode)) return mode;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "expected a reduction mode, fast or ordered, found '", name, "'"));
}

}  // namespace lockstep::internal
