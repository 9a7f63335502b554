#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_RANDOM_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_RANDOM_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/passes/partition/shard_builder.h"

namespace lockstep::internal {

// Random bits, which each element has from the counter of its place: a device
// begins at the counter of its shard.

// Whether the bits of a stablehlo.rng_bit_generator can be made in so many
// shards of the first dim: each takes counters of its own, one behind the
// other.
bool CanSplitRandomBits(const Op& rng, int64_t shards);

// The state behind all bits, and the shard of the bits, of which the first dim
// is split so that it can be. `state` is that in front of all bits.
absl::StatusOr<std::vector<Value*>> LowerRandomBits(const Op& rng, Value* state,
                                                    const TensorSharding& bits,
                                                    ShardBuilder& builder);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_RANDOM_H_
