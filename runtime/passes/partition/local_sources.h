#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_SOURCES_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_SOURCES_H_

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/passes/partition/shard_builder.h"

namespace lockstep::internal {

// Shards of values that are computed from nothing, at any sharding.

// Of a stablehlo.constant: one that is no splat is whole on every device.
absl::StatusOr<Value*> LowerConstant(const Op& op,
                                     const TensorSharding& sharding,
                                     ShardBuilder& builder);
// Of a stablehlo.iota.
absl::StatusOr<Value*> LowerIota(const Op& op, const TensorSharding& sharding,
                                 ShardBuilder& builder);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_LOCAL_SOURCES_H_
