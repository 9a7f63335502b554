#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_SHARED_CAUSE_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_SHARED_CAUSE_H_

#include "absl/status/status.h"

namespace lockstep {

// Marks an error that a collective's own checks found, between members rather
// than on one of them: it reaches the other hosts as it is, where an error of
// one host reaches them as ABORTED with that host as its origin. The mark is a
// payload and so survives copies, cancellation tokens and messages.
absl::Status AsSharedCause(absl::Status cause);
bool IsSharedCause(const absl::Status& cause);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_SHARED_CAUSE_H_
