#include "runtime/ops/random_algorithm.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

absl::StatusOr<bool> IsPhilox(const Op& op) {
  ASSIGN_OR_RETURN(const std::string name, op.EnumAttribute("rng_algorithm"));
  if (name == "PHILOX" || name == "DEFAULT") return true;
  if (name == "THREE_FRY") return false;
  return op.Error(absl::StrCat(
      "rng_algorithm: expected DEFAULT, THREE_FRY or PHILOX, found ", name));
}

int64_t ThreefryPairedDim(const Shape& shape) {
  int64_t largest = 0;
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    if (shape.dim(dim) % 2 == 0) return dim;
    if (shape.dim(dim) > shape.dim(largest)) largest = dim;
  }
  return largest;
}

}  // namespace lockstep::internal
