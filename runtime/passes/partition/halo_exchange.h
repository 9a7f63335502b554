#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_HALO_EXCHANGE_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_HALO_EXCHANGE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/passes/partition/halo_plan.h"
#include "runtime/passes/partition/shard_builder.h"

namespace lockstep::internal {

// The window of each device over dim `dim`, of which `x` is its shard along
// `axes`. Devices exchange only what is missing in their shards. `fill`, a
// scalar, stands where there are no elements; null: something does.
absl::StatusOr<Value*> ExchangeHalo(Value* x, int64_t dim,
                                    absl::Span<const AxisRef> axes,
                                    const HaloWindow& window,
                                    const HaloPlan& plan, Value* fill,
                                    ShardBuilder& builder);

// Of the device that has shard i along `axes`, `length` elements along dim
// `dim`, from starts[i] on.
absl::StatusOr<Value*> PartOfShard(Value* x, int64_t dim,
                                   absl::Span<const AxisRef> axes,
                                   const std::vector<int64_t>& starts,
                                   int64_t length, ShardBuilder& builder);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_HALO_EXCHANGE_H_
