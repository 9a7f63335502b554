#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_def.h"
#include "runtime/ir/sharding_rule_builder.h"
#include "runtime/ops/checks/collective_checks.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/collectives/collective.h"
#include "runtime/ops/sharding/resized_dim_sharding.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<Type> InferOne(const Op& op, const CollectiveSpec& spec,
                              const Shape& shape) {
  RETURN_IF_ERROR(
      CheckDim(op, "split_dimension", spec.dim, shape.rank()));  // (C1)
  RETURN_IF_ERROR(CheckDim(op, "concat_dimension", spec.concat_dim,
                           shape.rank()));            // (C3)
  if (shape.dim(spec.dim) % spec.split_count != 0) {  // (C2)
    return op.Error(absl::StrCat("split_dimension: expected a size of dim ",
                                 spec.dim, " that ", spec.split_count,
                                 " (split_count) divides, found ",
                                 shape.dim(spec.dim)));
  }
  Dims dims(shape.dims().begin(), shape.dims().end());
  dims[spec.dim] /= spec.split_count;
  dims[spec.concat_dim] *= spec.split_count;
  ASSIGN_OR_RETURN(Shape result, ResultShape(op, shape.element_type(), dims));
  return Type(std::move(result));  // (C9)
}

absl::StatusOr<std::vector<Type>> InferAllToAll(const Op& op) {
  ASSIGN_OR_RETURN(const CollectiveSpec spec, CheckedCollectiveSpec(op));
  ASSIGN_OR_RETURN(const int64_t group_size, GroupSize(op, spec));
  if (spec.split_count != group_size) {  // (C4), (C8)
    return op.Error(absl::StrCat("split_count: expected ", group_size,
                                 " (the group's size), found ",
                                 spec.split_count));
  }
  std::vector<Type> types;
  for (const Value* operand : op.operands()) {
    ASSIGN_OR_RETURN(Type type, InferOne(op, spec, operand->shape()));
    types.push_back(std::move(type));
  }
  return types;
}

// Factors of the dim in the operands, then in the results.
void AddReplicated(const Op& op, int64_t dim, ShardingRuleBuilder& rule) {
  rule.Add(op.operand(0)->shape().dim(dim), FactorKind::kNeedReplication)
      .Operands(0, op.operand_count(), dim);
  rule.Add(op.result()->shape().dim(dim), FactorKind::kNeedReplication)
      .Results(dim);
}

absl::StatusOr<std::optional<OpShardingRule>> AllToAllRule(
    const Op& op, const ShardingRuleOptions&) {
  ASSIGN_OR_RETURN(const CollectiveSpec spec, ParseCollectiveSpec(op));
  if (!HaveSameDims(op)) return std::nullopt;
  const Shape& shape = op.result()->shape();
  ShardingRuleBuilder rule(op);
  for (int64_t dim = 0; dim < shape.rank(); ++dim) {
    if (dim == spec.dim || dim == spec.concat_dim) continue;
    rule.Add(shape.dim(dim)).Everywhere(dim);
  }
  AddReplicated(op, spec.dim, rule);
  if (spec.concat_dim != spec.dim) AddReplicated(op, spec.concat_dim, rule);
  return rule.Build();
}

// all_to_all: cuts the operand in split_count parts along split_dimension; part
// k goes to the member at position k, which joins what it gets along
// concat_dimension in the order of the senders.
//   (I1) operands. (I2) split_dimension. (I3) concat_dimension.
//   (I4) split_count. (I5) replica_groups (C5-C7). (I6) channel_id.
REGISTER_OP(OpDef("stablehlo.all_to_all", OpKind::kCollective)
                .Infer(InferAllToAll)
                .Evaluate(EvaluateCollective)
                .Sharding(AllToAllRule));

}  // namespace
}  // namespace lockstep::internal
