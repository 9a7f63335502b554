#include "runtime/ops/sharding/dot_sharding.h"

#include "runtime/ir/sharding_rule_builder.h"

namespace lockstep::internal {

absl::StatusOr<OpShardingRule> DotSharding(const Op& op,
                                           const DotDimensions& dims) {
  const Shape& lhs = op.operand(0)->shape();
  const Shape& rhs = op.operand(1)->shape();
  int64_t result_dim = 0;
  ShardingRuleBuilder rule(op);
  for (size_t i = 0; i < dims.lhs_batching.size(); ++i) {
    rule.Add(lhs.dim(dims.lhs_batching[i]))
        .Operand(0, dims.lhs_batching[i])
        .Operand(1, dims.rhs_batching[i])
        .Result(0, result_dim++);
  }
  for (int64_t dim :
       FreeDims(lhs.rank(), dims.lhs_batching, dims.lhs_contracting)) {
    rule.Add(lhs.dim(dim)).Operand(0, dim).Result(0, result_dim++);
  }
  for (int64_t dim :
       FreeDims(rhs.rank(), dims.rhs_batching, dims.rhs_contracting)) {
    rule.Add(rhs.dim(dim)).Operand(1, dim).Result(0, result_dim++);
  }
  for (size_t i = 0; i < dims.lhs_contracting.size(); ++i) {
    rule.Add(lhs.dim(dims.lhs_contracting[i]), FactorKind::kReduction)
        .Operand(0, dims.lhs_contracting[i])
        .Operand(1, dims.rhs_contracting[i]);
  }
  return rule.Build();
}

}  // namespace lockstep::internal
