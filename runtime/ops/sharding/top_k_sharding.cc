#include "runtime/ops/sharding/top_k_sharding.h"

#include "runtime/ir/sharding_rule_builder.h"

namespace lockstep::internal {

absl::StatusOr<OpShardingRule> TopKSharding(const Op& op) {
  const Shape& operand = op.operand(0)->shape();
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < operand.rank(); ++dim) {
    const bool is_last = dim == operand.rank() - 1;
    rule.Add(operand.dim(dim),
             is_last ? FactorKind::kNeedReplication : FactorKind::kPassThrough)
        .Everywhere(dim)
        .Blocked(is_last);
  }
  return rule.Build();
}

}  // namespace lockstep::internal
