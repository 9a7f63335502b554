#ifndef LOCKSTEP_RUNTIME_OPS_SHARDING_CUSTOM_CALL_SHARDING_H_
#define LOCKSTEP_RUNTIME_OPS_SHARDING_CUSTOM_CALL_SHARDING_H_

#include "runtime/ir/op_def.h"

namespace lockstep::internal {

// The rule of a custom_call: that which its target has of its own
// (CustomCallTarget::sharding), for targets that know better than programs;
// else its attribute sdy.sharding_rule, when that is a custom rule; else what
// is known of other targets; none for those that are not known, and where the
// types are not those that the target has. INVALID_ARGUMENT for an attribute
// that is no rule of this op.
OpDef::ShardingRuleFn CustomCallSharding();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_SHARDING_CUSTOM_CALL_SHARDING_H_
