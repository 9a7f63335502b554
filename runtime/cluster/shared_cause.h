#ifndef LOCKSTEP_RUNTIME_CLUSTER_SHARED_CAUSE_H_
#define LOCKSTEP_RUNTIME_CLUSTER_SHARED_CAUSE_H_

#include "absl/status/status.h"

namespace lockstep::internal {

// Marks an error that lies between hosts rather than on one of them, and names
// them: calls that differ, a peer that is lost. It reaches the other hosts as
// it is, where an error of one host reaches them as ABORTED with that host as
// its origin. The mark is a payload and so survives copies, cancellation tokens
// and messages.
absl::Status AsSharedCause(absl::Status cause);
bool IsSharedCause(const absl::Status& cause);

// Marks what a host concludes from what another one does, when the coordinator
// may know an earlier cause of it: a peer that is past a launch has left it
// out, or has been told before this host that it ended. Whoever finds it
// reports it and waits for the verdict.
absl::Status AsSuspicion(absl::Status cause);
bool IsSuspicion(const absl::Status& cause);
// Without that mark: nobody knew better.
absl::Status AsVerdict(absl::Status suspicion);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_SHARED_CAUSE_H_
