#ifndef LOCKSTEP_RUNTIME_OPS_SHARDING_POINTWISE_SHARDING_H_
#define LOCKSTEP_RUNTIME_OPS_SHARDING_POINTWISE_SHARDING_H_

#include "runtime/ir/op_def.h"

namespace lockstep::internal {

// One factor per dim of the results, shared by all operands and results of
// their dims. Other operands, such as a scalar predicate, are not sharded.
OpDef::ShardingRuleFn PointwiseSharding();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_SHARDING_POINTWISE_SHARDING_H_
