#include "runtime/backends/reference/evaluable.h"

#include "runtime/base/status.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/custom_call.h"

namespace lockstep::internal {

absl::Status CheckEvaluable(const Op& op) {
  if (op.def() == nullptr || !op.def()->evaluate()) {
    return op.Unimplemented("no reference evaluation");
  }
  if (op.def()->kind() == OpKind::kCustomCall) {
    RETURN_IF_ERROR(CheckCustomCallTarget(op));
  }
  for (const auto& region : op.regions()) {
    for (const auto& nested : region->ops()) {
      if (nested.get() == region->terminator()) continue;
      if (nested->def() != nullptr &&
          nested->def()->kind() == OpKind::kCollective) {
        return nested->Unimplemented("a collective inside " + op.name());
      }
      RETURN_IF_ERROR(CheckEvaluable(*nested));
    }
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
