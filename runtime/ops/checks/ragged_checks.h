#ifndef LOCKSTEP_RUNTIME_OPS_CHECKS_RAGGED_CHECKS_H_
#define LOCKSTEP_RUNTIME_OPS_CHECKS_RAGGED_CHECKS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// Of a ragged all_to_all (spec K-21). Errors are the op's.

// Operands 0 and 1, tensors: of one type but for the first dimension.
absl::Status CheckRaggedRows(const Op& op);
// `what`, of `count` slices: at least one, and as many for each member.
absl::Status CheckSliceCount(const Op& op, absl::string_view what,
                             int64_t count, int64_t group_size);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_CHECKS_RAGGED_CHECKS_H_
