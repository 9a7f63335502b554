#include <vector>

#include "runtime/ir/op_def.h"
#include "runtime/ops/collective_checks.h"
#include "runtime/ops/region_checks.h"

namespace lockstep {
namespace {

absl::StatusOr<std::vector<Type>> InferBroadcast(const Op& op) {
  RETURN_IF_ERROR(CheckedCollectiveSpec(op).status());
  ASSIGN_OR_RETURN(const bool has_dynamic_root,
                   op.BoolAttributeOr("has_dynamic_root", false));
  if (has_dynamic_root) return op.Unimplemented("has_dynamic_root");
  return OperandTypes(op);  // (C3), (C5)
}

// collective_broadcast: the operand of the group's first member; zeros on a
// process that is in no group.
//   (I1) operands. (I2) replica_groups (C1, C2). (I3) channel_id.
REGISTER_OP(OpDef("stablehlo.collective_broadcast", OpKind::kCollective)
                .Infer(InferBroadcast)
                .Evaluate(EvaluateCollective));

}  // namespace
}  // namespace lockstep
