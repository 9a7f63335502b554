#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_REDUCTION_MODE_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_REDUCTION_MODE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// Who decides the order of float sums and products where devices have
// collectives of their own. Equal on all hosts of a program. Where the hosts
// reduce both are the tree of spec K-4.
enum class ReductionMode {
  kFast,     // the devices
  kOrdered,  // the tree
};

std::string ReductionModeName(ReductionMode mode);  // "fast", "ordered"

// INVALID_ARGUMENT: not a name of one.
absl::StatusOr<ReductionMode> ParseReductionMode(absl::string_view name);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_REDUCTION_MODE_H_
