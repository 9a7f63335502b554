#include "client/host/barrier.h"

#include <algorithm>

#include "client/host/host_session.h"
#include "runtime/base/status.h"
#include "runtime/callbacks/callback_scope.h"
#include "runtime/mesh/ids.h"

namespace lockstep {

absl::Status Barrier(absl::string_view name, const BarrierOptions& options) {
  RETURN_IF_ERROR(internal::CallbackScope::CheckOutside());
  ASSIGN_OR_RETURN(const auto view, internal::HostSessionView("Barrier"));
  std::vector<HostId> participants;
  for (int host : options.hosts) participants.emplace_back(host);
  internal::WaitOptions wait;
  // None would be the coordinator's.
  wait.timeout = std::max(options.deadline, absl::Milliseconds(1));
  return view->worker().control_plane().Barrier(name, participants, wait);
}

}  // namespace lockstep
