#include "client/host/preemption.h"

#include "client/host/host_session.h"
#include "runtime/base/status.h"
#include "runtime/callbacks/callback_scope.h"

namespace lockstep {

absl::StatusOr<bool> reached_preemption_sync_point(int64_t step) {
  ASSIGN_OR_RETURN(const auto view,
                   internal::PresentHostView("reached_preemption_sync_point"));
  if (view == nullptr) return false;
  RETURN_IF_ERROR(internal::CallbackScope::CheckOutside());
  RETURN_IF_ERROR(internal::TakePreemptionSignal());
  const absl::StatusOr<bool> saves =
      view->worker().preemption_point().Reach(step);
  // After an error a save that was is over too.
  internal::ReachStep(saves.ok() && *saves);
  return saves;
}

absl::Status notice_preemption() {
  ASSIGN_OR_RETURN(const auto view,
                   internal::PresentHostView("notice_preemption"));
  if (view == nullptr) {
    return absl::FailedPreconditionError(
        "notice_preemption: there is no cluster");
  }
  internal::Worker& worker = view->worker();
  if (!worker.preemption_point().HasNotice()) {
    return worker.control_plane().NoticePreemption();
  }
  return absl::OkStatus();
}

}  // namespace lockstep
