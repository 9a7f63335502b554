#ifndef LOCKSTEP_RUNTIME_OPS_BRANCHES_H_
#define LOCKSTEP_RUNTIME_OPS_BRANCHES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// The regions of `if` and `case`: each takes nothing, all return the same
// types, which are the op's.
absl::StatusOr<std::vector<Type>> InferBranches(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_BRANCHES_H_
