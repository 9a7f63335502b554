#include "runtime/ir/op_def.h"
#include "runtime/ops/checks/collective_checks.h"
#include "runtime/ops/collectives/channel_handle.h"
#include "runtime/ops/evaluation/evaluation.h"

namespace lockstep::internal {
namespace {

// The tensors' types are what the program declares.
absl::Status VerifyRecv(const Op& op) {
  if (op.operand_count() != 1 || op.operand(0)->type() != Type::Token()) {
    return op.Error("expected a token as the only operand");
  }
  for (int i = 0; i + 1 < op.result_count(); ++i) {
    if (op.result(i)->type().is_tensor()) continue;
    return op.Error("expected tensors, then a token as results");
  }
  if (op.results().empty() || op.results().back()->type() != Type::Token()) {
    return op.Error("expected a token as the last result");
  }
  return CheckTransfer(op, ChannelHandle::kHostToDevice);  // (C1-C5)
}

absl::Status EvaluateRecv(EvaluationContext& context, const Op& op,
                          absl::Span<const LiteralView>,
                          absl::Span<const MutableLiteralView> results) {
  results.remove_suffix(1);
  return context.RunCollective(op, CollectiveSpec(), {}, results);
}

// recv: takes the oldest tensors from the queue of a channel; waits for them.
// Between devices it becomes collective_permute (transfers.h).
//   (I1) token. (I2) channel_id. (I3) channel_type (C5).
//   (I4) is_host_transfer. (I5) source_target_pairs (C1-C4), between devices.
REGISTER_OP(OpDef("stablehlo.recv", OpKind::kCollective)
                .Verify(VerifyRecv)
                .Evaluate(EvaluateRecv));

}  // namespace
}  // namespace lockstep::internal
