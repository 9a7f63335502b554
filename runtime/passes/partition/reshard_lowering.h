#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_RESHARD_LOWERING_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_RESHARD_LOWERING_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/passes/partition/shard_builder.h"

namespace lockstep::internal {

// The shard of `to` of a tensor of `shape`, of which `x` is the shard of
// `from`; both are on the mesh of the builder. By PlanReshard where the axes
// divide the dims at every step; else the dims that differ are gathered first
// and then sliced, since shards with padding are not parts of larger ones.
// UNIMPLEMENTED: PlanReshard knows no collectives for it.
absl::StatusOr<Value*> LowerReshard(Value* x, const TensorSharding& from,
                                    const TensorSharding& to,
                                    const MeshTable& meshes,
                                    absl::Span<const int64_t> shape,
                                    ShardBuilder& builder);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_RESHARD_LOWERING_H_
