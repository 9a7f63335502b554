#include <vector>

#include "runtime/ir/op_def.h"
#include "runtime/ops/sdy/sharding_form.h"
#include "runtime/ops/sharding/pointwise_sharding.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferSharded(const Op& op) {
  ASSIGN_OR_RETURN(std::vector<Type> types, InferOperandType(op));
  RETURN_IF_ERROR(ShardingAttribute(op, "sharding", types[0]).status());
  return types;
}

// sharding_constraint: its operand, which is sharded so where it can be.
//   sharding: that of the result.
REGISTER_OP(OpDef("sdy.sharding_constraint", OpKind::kSharding)
                .Assembly(OperandAndShardingForm())
                .Infer(InferSharded)
                .Evaluate(EvaluateOperand)
                .Sharding(PointwiseSharding()));

// reshard: its operand, which has another sharding there than here. Nothing is
// propagated through it.
//   sharding: that of the result.
REGISTER_OP(OpDef("sdy.reshard", OpKind::kSharding)
                .Assembly(OperandAndShardingForm())
                .Infer(InferSharded)
                .Evaluate(EvaluateOperand));

}  // namespace
}  // namespace lockstep::internal
