#include "runtime/executable/collective_tracker.h"

namespace lockstep::internal {

absl::Status CollectiveTracker::OnEnter(const CliqueKey& clique,
                                        const CollectiveCall& call) {
  progress_.EnterCollective(call.device_number, call.name);
  if (profile_ != nullptr) profile_->BeginBeside(call.device_number);
  return ledger_.Enter(device_, clique, call.number, call.description);
}

void CollectiveTracker::OnLeave(const CollectiveCall& call,
                                const absl::Status& status) {
  if (profile_ != nullptr) profile_->EndBeside(call.device_number);
  // Also after a failure: the clique may go before the launch does.
  ledger_.Leave(device_);
  if (!status.ok()) return;
  progress_.LeaveCollective();
  if (counts_thunks_) progress_.CountThunk();
}

}  // namespace lockstep::internal
