#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_OP_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_OP_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/passes/partition/shard_builder.h"

namespace lockstep::internal {

// What a device has of a value.
struct ShardedValue {
  Value* local;
  Type global;
  TensorSharding sharding;
};

// The results of the op on shards, of these types and with these regions: its
// attributes name sizes of shards where they named those of whole dims, indices
// are those of the shard, and what pads the last shards is neutral where the op
// reduces them. The op is at shardings that PartitionableRule allows.
absl::StatusOr<std::vector<Value*>> BuildLocalOp(
    const Op& op, std::vector<ShardedValue> operands,
    std::vector<Type> result_types,
    std::vector<std::unique_ptr<Region>> regions, ShardBuilder& builder);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_OP_H_
