#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_SELECT_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_SELECT_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/passes/partition/local_op.h"
#include "runtime/passes/partition/shard_builder.h"
#include "runtime/passes/partition/split_read.h"

namespace lockstep::internal {

// select_and_scatter along split dims whose windows lie in several shards. Each
// device has all windows that meet its shard, and what they read and scatter,
// and keeps what falls into its shard: in the order of the whole op.

// Whether devices can do so: windows beyond the ends, of which there are none,
// scatter what changes nothing; where the op pads the dim, elements become ones
// of a type with a value that none of them has, which is never selected.
bool CanSplitOverlappingWindows(const Op& op, bool is_padded);

// The shard of the result. `reads` are of dims of the operand and of the source
// (DimReadsOf), `regions` select and scatter.
absl::StatusOr<Value*> SelectAndScatterShards(
    const Op& op, const std::vector<SplitRead>& reads,
    const std::vector<ShardedValue>& operands, const Shape& result,
    std::vector<std::unique_ptr<Region>> regions, ShardBuilder& builder);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_SELECT_H_
