#include "runtime/ops/sharding/resized_dim_sharding.h"

#include "runtime/ir/sharding_rule_builder.h"

namespace lockstep::internal {

absl::StatusOr<OpShardingRule> ResizedDimSharding(const Op& op, int64_t dim) {
  const Shape& operand = op.operand(0)->shape();
  ShardingRuleBuilder rule(op);
  for (int64_t other = 0; other < operand.rank(); ++other) {
    if (other != dim) rule.Add(operand.dim(other)).Everywhere(other);
  }
  rule.Add(operand.dim(dim), FactorKind::kNeedReplication)
      .Operands(0, op.operand_count(), dim);
  rule.Add(op.result()->shape().dim(dim), FactorKind::kNeedReplication)
      .Results(dim);
  return rule.Build();
}

}  // namespace lockstep::internal
