#ifndef LOCKSTEP_CLIENT_HOST_HOST_SESSION_H_
#define LOCKSTEP_CLIENT_HOST_HOST_SESSION_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/host/host_view.h"

namespace lockstep::internal {

// The host view of this process: what Initialize made; when nothing was
// initialised, what Initialize() makes now, on behalf of the call `user`.
// FAILED_PRECONDITION after Shutdown. Thread-safe.
absl::StatusOr<std::shared_ptr<HostView>> HostSessionView(
    absl::string_view user);

// The same, but null when there is no cluster: none is made.
absl::StatusOr<std::shared_ptr<HostView>> PresentHostView(
    absl::string_view user);

// From here on until Shutdown the preemption signal of the options calls
// notice_preemption. No effect when it does already, and without a cluster.
// Errors of PreemptionSignal::Take.
absl::Status TakePreemptionSignal();
// The program has come to a step; whether it saves there. As
// PreemptionSignal::Reach.
void ReachStep(bool saves);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_HOST_SESSION_H_
