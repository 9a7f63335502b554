#ifndef LOCKSTEP_RUNTIME_OPS_COLLECTIVES_COLLECTIVE_ROOT_H_
#define LOCKSTEP_RUNTIME_OPS_COLLECTIVES_COLLECTIVE_ROOT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"
#include "runtime/ops/collectives/collective.h"
#include "runtime/ops/evaluation/evaluation.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// collective_broadcast and collective_reduce have a root in each group: its
// first member, or with `has_dynamic_root` the one at the position that the
// last operand says, a 1-D integer tensor with one entry per other operand.

absl::StatusOr<bool> HasDynamicRoot(const Op& op);

// The operands that are broadcast or reduced; checks the last one.
absl::StatusOr<absl::Span<Value* const>> DataOperands(const Op& op);

// The root's position for each data operand, out of groups of `group_size`:
// INVALID_ARGUMENT when it is outside.
absl::StatusOr<std::vector<int64_t>> RootPositions(
    const Op& op, int64_t group_size, absl::Span<const LiteralView> operands);

// The members of this process's group, as flattened ids in the group's order;
// empty when it is in none.
std::vector<int32_t> GroupOfProcess(const CollectiveSpec& spec,
                                    int32_t replicas, int32_t partitions,
                                    int32_t replica, int32_t partition);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_COLLECTIVES_COLLECTIVE_ROOT_H_
