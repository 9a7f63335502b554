#ifndef LOCKSTEP_RUNTIME_OPS_SHARDING_RESIZED_DIM_SHARDING_H_
#define LOCKSTEP_RUNTIME_OPS_SHARDING_RESIZED_DIM_SHARDING_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/ir/op_sharding_rule.h"

namespace lockstep::internal {

// Whether all operands have the same dims, and all results. Those of a
// collective need not: each goes for itself.
bool HaveSameDims(const Op& op);

// The rule of all_gather and reduce_scatter: `dim` is whole in the operands and
// in the results, the other dims of all of them are sharded together. None
// unless HaveSameDims.
absl::StatusOr<std::optional<OpShardingRule>> ResizedDimSharding(const Op& op,
                                                                 int64_t dim);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_SHARDING_RESIZED_DIM_SHARDING_H_
