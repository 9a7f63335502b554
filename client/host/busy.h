#ifndef LOCKSTEP_CLIENT_HOST_BUSY_H_
#define LOCKSTEP_CLIENT_HOST_BUSY_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace lockstep {

// Announces, in the host view, that from now on this host is busy with `what`
// for at most that time, as with writing files: hosts that wait for it do so
// longer than late_abort, and are told what it does (spec M-23). With no time
// it is over; what else the host is busy with counts on. Does not wait. Errors:
//   INVALID_ARGUMENT     nothing to be busy with; a negative time
//   FAILED_PRECONDITION  after Shutdown
absl::Status Busy(absl::string_view what, absl::Duration at_most);

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_HOST_BUSY_H_
