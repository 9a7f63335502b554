#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_STATUS_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_STATUS_H_

#include <ucs/type/status.h>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace lockstep::internal {

// The one place where UCX's errors become ours: "what: UCX's own words".
// UNAVAILABLE for everything that means "the peer cannot be reached".
absl::Status FromUcx(ucs_status_t status, absl::string_view what);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_STATUS_H_
