#ifndef LOCKSTEP_TESTS_PARTITION_SHARD_CUTTING_H_
#define LOCKSTEP_TESTS_PARTITION_SHARD_CUTTING_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/passes/partition/partition_module.h"
#include "runtime/types/literal.h"

namespace lockstep::internal {

// The shard of `whole` that `device` of the mesh has; of types whose elements
// are whole bytes.
absl::StatusOr<Literal> CutShard(const Literal& whole,
                                 const TensorLayout& layout,
                                 const ShardingMesh& mesh, int64_t device);

// The whole array of the shards of all devices. INTERNAL, with the number of
// the `result`: a shard has another shape, or devices that have the same shard
// have different bits of it.
absl::StatusOr<Literal> JoinShards(const std::vector<Literal>& shards,
                                   const TensorLayout& layout,
                                   const ShardingMesh& mesh, size_t result);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_PARTITION_SHARD_CUTTING_H_
