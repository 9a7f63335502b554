#ifndef LOCKSTEP_RUNTIME_SHARDING_BIND_SHARDING_RULE_H_
#define LOCKSTEP_RUNTIME_SHARDING_BIND_SHARDING_RULE_H_

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/sharding/sdy_sharding_rule.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// The rule of an op with operands and results of these shapes, as a custom one
// (spec Y-12). Factors are numbered as they appear, in each value its batch
// dimensions first; one of several sizes has the smallest. INVALID_ARGUMENT:
// other numbers of operands or results, or other ranks, than the rule's; batch
// dimensions of a group that differ in number or size; a compound whose factors
// do not make up its dimension; what OpShardingRule::Create refuses.
absl::StatusOr<OpShardingRule> BindShardingRule(
    const SdyShardingRule& rule, absl::Span<const Shape> operand_shapes,
    absl::Span<const Shape> result_shapes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_BIND_SHARDING_RULE_H_
