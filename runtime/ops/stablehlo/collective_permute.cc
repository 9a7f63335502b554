#include <vector>

#include "runtime/ir/op_def.h"
#include "runtime/ops/checks/collective_checks.h"
#include "runtime/ops/checks/region_checks.h"
#include "runtime/ops/sharding/pointwise_sharding.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferPermute(const Op& op) {
  RETURN_IF_ERROR(CheckedCollectiveSpec(op).status());
  return OperandTypes(op);  // (C5)
}

// collective_permute: for each pair, the target's result is the source's
// operand; zeros where no pair has the process as its target.
//   (I1) operand. (I2) source_target_pairs (C1-C4). (I3) channel_id.
REGISTER_OP(OpDef("stablehlo.collective_permute", OpKind::kCollective)
                .Infer(InferPermute)
                .Evaluate(EvaluateCollective)
                .Sharding(PointwiseSharding()));

}  // namespace
}  // namespace lockstep::internal
