#include <utility>
#include <vector>

#include "runtime/ir/op_def.h"
#include "runtime/ops/checks/collective_checks.h"
#include "runtime/ops/checks/operand_checks.h"
#include "runtime/ops/reduction_body.h"
#include "runtime/ops/sharding/pointwise_sharding.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferAllReduce(const Op& op) {
  ASSIGN_OR_RETURN(const CollectiveSpec spec, CheckedCollectiveSpec(op));
  std::vector<Type> types;
  for (Value* operand : op.operands()) {
    ASSIGN_OR_RETURN(
        const std::vector<ElementType> element_types,
        ReductionBodyTypes(op, *spec.reduction, {&operand, 1}));  // (C5)
    ASSIGN_OR_RETURN(Shape shape, ResultShape(op, element_types[0],
                                              operand->shape().dims()));
    types.push_back(std::move(shape));  // (C6), (C7)
  }
  return types;
}

// all_reduce: each operand combined over the members of the group, in the fixed
// tree over their order.
//   (I1) operands. (I2) replica_groups (C1-C3). (I3) channel_id.
//   (I4) use_global_device_ids (C4). (I5) computation.
REGISTER_OP(OpDef("stablehlo.all_reduce", OpKind::kCollective)
                .Infer(InferAllReduce)
                .Evaluate(EvaluateCollective)
                .Sharding(PointwiseSharding()));

}  // namespace
}  // namespace lockstep::internal
