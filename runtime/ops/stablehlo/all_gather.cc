#include <optional>
#include <vector>

#include "runtime/ir/op_def.h"
#include "runtime/ops/checks/collective_checks.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/collectives/collective.h"
#include "runtime/ops/sharding/resized_dim_sharding.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferAllGather(const Op& op) {
  ASSIGN_OR_RETURN(const CollectiveSpec spec, CheckedCollectiveSpec(op));
  ASSIGN_OR_RETURN(const int64_t group_size, GroupSize(op, spec));
  std::vector<Type> types;
  for (const Value* operand : op.operands()) {
    const Shape& shape = operand->shape();
    RETURN_IF_ERROR(
        CheckDim(op, "all_gather_dim", spec.dim, shape.rank()));  // (C1)
    Dims dims(shape.dims().begin(), shape.dims().end());
    dims[spec.dim] *= group_size;  // (C6)
    ASSIGN_OR_RETURN(Shape result, ResultShape(op, shape.element_type(), dims));
    types.push_back(std::move(result));
  }
  return types;
}

absl::StatusOr<std::optional<OpShardingRule>> AllGatherRule(
    const Op& op, const ShardingRuleOptions&) {
  ASSIGN_OR_RETURN(const CollectiveSpec spec, ParseCollectiveSpec(op));
  return ResizedDimSharding(op, spec.dim);
}

// all_gather: the members' operands one after the other along all_gather_dim,
// in group order.
//   (I1) operands. (I2) all_gather_dim. (I3) replica_groups (C2-C4).
//   (I4) channel_id. (I5) use_global_device_ids (C5).
REGISTER_OP(OpDef("stablehlo.all_gather", OpKind::kCollective)
                .Infer(InferAllGather)
                .Evaluate(EvaluateCollective)
                .Sharding(AllGatherRule));

}  // namespace
}  // namespace lockstep::internal
