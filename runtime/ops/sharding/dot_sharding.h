#ifndef LOCKSTEP_RUNTIME_OPS_SHARDING_DOT_SHARDING_H_
#define LOCKSTEP_RUNTIME_OPS_SHARDING_DOT_SHARDING_H_

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/ops/geometry/dot_dimensions.h"

namespace lockstep::internal {

// The rule of dot and dot_general. Factors: batching, free of lhs, free of rhs,
// contracting.
absl::StatusOr<OpShardingRule> DotSharding(const Op& op,
                                           const DotDimensions& dims);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_SHARDING_DOT_SHARDING_H_
