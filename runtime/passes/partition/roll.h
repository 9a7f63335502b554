#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_ROLL_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_ROLL_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/passes/partition/shard_builder.h"

namespace lockstep::internal {

// A concatenation of what is behind some place of a dim and of what is before
// it: two slices of one value, of which devices would take parts that lie in
// other shards than those of the result.
struct Roll {
  Value* operand;
  int64_t dim;
  int64_t amount;  // the place
  int64_t size;    // of the result along the dim
};

// Of a concatenation that has the shape of the operand, it is all of the op.
std::optional<Roll> RollOf(const Op& op);

// The shard of the result; `local` is that of the operand, whose dim is split
// by this sharding. Where all shards are full, devices take both parts at once,
// else one after the other.
absl::StatusOr<Value*> RollShards(const Roll& roll, Value* local,
                                  const TensorSharding& sharding,
                                  ShardBuilder& builder);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_ROLL_H_
