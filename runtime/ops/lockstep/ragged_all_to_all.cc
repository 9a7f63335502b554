#include "runtime/ops/lockstep/ragged_all_to_all.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/checks/collective_checks.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/checks/ragged_checks.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferRaggedAllToAll(const Op& op) {
  RETURN_IF_ERROR(CheckOperandCount(op, 3));
  ASSIGN_OR_RETURN(const CollectiveSpec spec, CheckedCollectiveSpec(op));
  RETURN_IF_ERROR(CheckRaggedRows(op));
  ASSIGN_OR_RETURN(const int64_t group_size, GroupSize(op, spec));
  const Shape& table = op.operand(2)->shape();
  if (table.element_type() != ElementType::kS64 || table.rank() != 3 ||
      table.dim(0) != group_size || table.dim(1) != 4) {
    return op.Error(absl::StrCat("table: expected tensor<", group_size,
                                 "x4xKxi64>, found ", table.ToString()));
  }
  RETURN_IF_ERROR(CheckSliceCount(op, "table", table.dim(2), group_size));
  return std::vector<Type>{op.operand(1)->type()};
}

// Rows may be split, as long as all are in the same way.
absl::StatusOr<std::optional<OpShardingRule>> RaggedAllToAllRule(
    const Op& op, const ShardingRuleOptions&) {
  ShardingRuleBuilder rule(op);
  const Shape& output = op.result()->shape();
  for (int64_t dim = 1; dim < output.rank(); ++dim) {
    rule.Add(output.dim(dim)).Operands(0, 2, dim).Results(dim);
  }
  rule.Add(op.operand(0)->shape().dim(0), FactorKind::kNeedReplication)
      .Operand(0, 0);
  rule.Add(output.dim(0), FactorKind::kNeedReplication)
      .Operand(1, 0)
      .Results(0);
  for (int64_t dim = 0; dim < 3; ++dim) {
    rule.Add(op.operand(2)->shape().dim(dim), FactorKind::kNeedReplication)
        .Operand(2, dim);
  }
  return rule.Build();
}

REGISTER_OP(OpDef(std::string(kRaggedAllToAllOp), OpKind::kCollective)
                .Infer(InferRaggedAllToAll)
                .Evaluate(EvaluateCollective)
                .Sharding(RaggedAllToAllRule));

}  // namespace
}  // namespace lockstep::internal
