#ifndef LOCKSTEP_RUNTIME_OPS_SHARDING_TOP_K_SHARDING_H_
#define LOCKSTEP_RUNTIME_OPS_SHARDING_TOP_K_SHARDING_H_

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/ir/op_sharding_rule.h"

namespace lockstep::internal {

// The rule of chlo.top_k and of its custom call: the last dim is whole, also
// where k is its size, for it is sorted.
absl::StatusOr<OpShardingRule> TopKSharding(const Op& op);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_SHARDING_TOP_K_SHARDING_H_
