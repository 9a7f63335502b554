#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_WINDOWS_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_WINDOWS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/passes/partition/local_op.h"
#include "runtime/passes/partition/shard_builder.h"
#include "runtime/passes/partition/split_read.h"

namespace lockstep::internal {

// Ops that read elements of split dims at other places than they write, on
// devices that have shards of these dims.

// The reads of the op whose dims are split. INTERNAL: one is that devices
// cannot make; ChooseShardings has such dims gathered.
absl::StatusOr<std::vector<SplitRead>> SplitReadsOf(
    const Op& op, const std::vector<ShardedValue>& operands,
    const AbstractMesh& mesh);

// Makes what is read of operands their local values.
absl::Status TakeWindows(const Op& op, const std::vector<SplitRead>& reads,
                         std::vector<ShardedValue>& operands,
                         ShardBuilder& builder);
// Where the op begins and ends in them, which `attributes` say for shards.
absl::Status SetWindowBounds(const Op& op, const std::vector<SplitRead>& reads,
                             AttributeMap& attributes);

// Makes of the types of a device's results those of all places that it makes.
void SetMadePlaces(const std::vector<SplitRead>& reads,
                   std::vector<Type>& result_types);
// Of these results, those of its shard, of which there are as many as in
// `result_types`.
absl::Status CutToShards(const std::vector<SplitRead>& reads,
                         const std::vector<Type>& result_types,
                         std::vector<Value*>& results, ShardBuilder& builder);

// The shard of a concatenation along a split dim, of what is read of operands.
absl::StatusOr<Value*> JoinWindows(const std::vector<SplitRead>& reads,
                                   const std::vector<ShardedValue>& operands,
                                   ShardBuilder& builder);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_WINDOWS_H_
