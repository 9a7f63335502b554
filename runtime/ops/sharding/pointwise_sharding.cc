#include "runtime/ops/sharding/pointwise_sharding.h"

#include <optional>

#include "runtime/ir/sharding_rule_builder.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::optional<OpShardingRule>> ShardPointwise(
    const Op& op, const ShardingRuleOptions&) {
  const Shape& shape = op.result()->shape();
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    auto factor = rule.Add(shape.dim(dim));
    for (int i = 0; i < op.operand_count(); ++i) {
      if (op.operand(i)->shape().dims() == shape.dims()) factor.Operand(i, dim);
    }
    for (int i = 0; i < op.result_count(); ++i) {
      if (op.result(i)->shape().dims() == shape.dims()) factor.Result(i, dim);
    }
  }
  return rule.Build();
}

}  // namespace

OpDef::ShardingRuleFn PointwiseSharding() { return ShardPointwise; }

}  // namespace lockstep::internal
