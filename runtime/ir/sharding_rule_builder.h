#ifndef LOCKSTEP_RUNTIME_IR_SHARDING_RULE_BUILDER_H_
#define LOCKSTEP_RUNTIME_IR_SHARDING_RULE_BUILDER_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/ir/op.h"
#include "runtime/ir/op_sharding_rule.h"

namespace lockstep::internal {

// Builds the rule of one op, factor by factor:
//
//   ShardingRuleBuilder rule(op);
//   rule.Add(rows).Operand(0, 0).Result(0, 0);
//   rule.Add(columns).Operand(1, 1).Result(0, 1);
//   rule.Add(inner, FactorKind::kReduction).Operand(0, 1).Operand(1, 0);
//   return rule.Build();
//
// Borrows the op.
class ShardingRuleBuilder {
 public:
  // The factor added last; says in which dims it is. In a dim it is the
  // minor-most so far. A dim that has factors takes none of size 1. Tensors of
  // rank 0 take none.
  class AddedFactor {
   public:
    AddedFactor& Operand(int operand, int64_t dim);
    // Operands first, first + 1, .., first + count - 1.
    AddedFactor& Operands(int first, int count, int64_t dim);
    AddedFactor& Result(int result, int64_t dim);
    AddedFactor& Results(int64_t dim);
    // Dim `dim` of all operands and results.
    AddedFactor& Everywhere(int64_t dim);
    AddedFactor& Blocked(bool is_blocked = true);

   private:
    friend class ShardingRuleBuilder;
    AddedFactor(OpShardingRule::Parts& parts, int factor)
        : parts_(parts), factor_(factor) {}
    void Append(OpShardingRule::TensorFactors& tensor, int64_t dim);

    OpShardingRule::Parts& parts_;
    const int factor_;
  };

  explicit ShardingRuleBuilder(const Op& op);

  AddedFactor Add(int64_t size, FactorKind kind = FactorKind::kPassThrough);
  // Every dim without a factor gets one of size 1 of its own. An error is that
  // of OpShardingRule::Create, with the op's location.
  absl::StatusOr<OpShardingRule> Build();

 private:
  const Op& op_;
  OpShardingRule::Parts parts_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_IR_SHARDING_RULE_BUILDER_H_
