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
// it: two slices of one value, of which devices would take parts one after the
// other.
struct Roll {
  Value* operand;
  int64_t dim;
  int64_t amount;  // the place
};

// Of a concatenation that has the shape of the operand, it is all of the op.
std::optional<Roll> RollOf(const Op& op);

// Whether devices can take both parts at once: the dim is split, and all shards
// of the shape are full.
bool CanRollShards(const Roll& roll, const Shape& shape,
                   const TensorSharding& sharding, const AbstractMesh& mesh);

// The shard of the result; `local` is that of the operand, at this sharding.
absl::StatusOr<Value*> RollShards(const Roll& roll, Value* local,
                                  const TensorSharding& sharding,
                                  ShardBuilder& builder);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_ROLL_H_
