#include "runtime/ops/sharding/resized_dim_sharding.h"

#include "runtime/ir/sharding_rule_builder.h"

namespace lockstep::internal {

bool HaveSameDims(const Op& op) {
  for (int i = 1; i < op.operand_count(); ++i) {
    if (op.operand(i)->shape().dims() != op.operand(0)->shape().dims() ||
        op.result(i)->shape().dims() != op.result(0)->shape().dims()) {
      return false;
    }
  }
  return true;
}

absl::StatusOr<std::optional<OpShardingRule>> ResizedDimSharding(const Op& op,
                                                                 int64_t dim) {
  if (!HaveSameDims(op)) return std::nullopt;
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
