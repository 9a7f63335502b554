#include "runtime/ops/custom_calls/lapack/lapack_target.h"

#include <limits>

namespace lockstep::internal {

absl::StatusOr<LapackInt> LapackWorkSize(double asked) {
  // f32 may have rounded it down.
  constexpr double kRounding = 1.0 / (1 << 23);
  const double size = asked < (1 << 23) ? asked : asked * (1 + kRounding);
  if (size < std::numeric_limits<LapackInt>::max()) {
    return static_cast<LapackInt>(std::max(1.0, size));
  }
  return absl::UnimplementedError(absl::StrCat("LAPACK would need ", size,
                                               " elements of work space, more "
                                               "than its integers count"));
}

}  // namespace lockstep::internal
