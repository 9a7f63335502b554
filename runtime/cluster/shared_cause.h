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

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_SHARED_CAUSE_H_
