#include <vector>

#include "runtime/ir/op_def.h"
#include "runtime/ops/checks/collective_checks.h"
#include "runtime/ops/collectives/channel_handle.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::vector<Type>> InferSend(const Op& op) {
  for (int i = 0; i + 1 < op.operand_count(); ++i) {
    if (op.operand(i)->type().is_tensor()) continue;
    return op.Error("expected tensors, then a token");
  }
  if (op.operands().empty() || op.operands().back()->type() != Type::Token()) {
    return op.Error("expected a token as the last operand");
  }
  RETURN_IF_ERROR(CheckTransfer(op, ChannelHandle::kDeviceToHost));  // (C1-C5)
  return std::vector<Type>{Type::Token()};
}

absl::Status EvaluateSend(EvaluationContext& context, const Op& op,
                          absl::Span<const LiteralView> operands,
                          absl::Span<const MutableLiteralView> results) {
  operands.remove_suffix(1);
  return context.RunCollective(op, CollectiveSpec(), operands, results);
}

// send: appends tensors to the queue of a channel and goes on. Between devices
// it is a part of what its recv becomes (transfers.h).
//   (I1) inputs: tensors. (I2) token. (I3) channel_id. (I4) channel_type (C5).
//   (I5) is_host_transfer. (I6) source_target_pairs (C1-C4), between devices.
REGISTER_OP(OpDef("stablehlo.send", OpKind::kCollective)
                .Infer(InferSend)
                .Evaluate(EvaluateSend));

}  // namespace
}  // namespace lockstep::internal
