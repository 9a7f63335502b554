#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_PARTITIONABLE_RULE_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_PARTITIONABLE_RULE_H_

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"
#include "runtime/ir/op_sharding_rule.h"

namespace lockstep::internal {

// The rule of the op, where the factors along which lower_to_shards cannot
// split it need replication. None: the op runs on whole tensors.
//
// These are: those of one side alone that the other needs all of; windows of
// gather, scatter and dynamic_slice that are smaller than the dim, and the
// update of a dynamic_update_slice; of select_and_scatter those along which
// windows overlap, where CanSplitOverlappingWindows does not hold; of spatial
// dims of a convolution the shorter of the kernel's and the result's;
// reductions and scatters whose combiner has no identity, but for the first dim
// of reductions of several values; all of generators of random bits.
//
// Along permutation factors devices exchange what they lack, without a sum.
absl::StatusOr<std::optional<OpShardingRule>> PartitionableRule(const Op& op);

// The same rule, where these factors need replication.
OpShardingRule WithReplicated(const OpShardingRule& rule,
                              absl::Span<const int> factors);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_PARTITIONABLE_RULE_H_
