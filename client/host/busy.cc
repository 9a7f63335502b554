#include "client/host/busy.h"

#include "absl/strings/str_cat.h"
#include "client/host/host_session.h"
#include "runtime/base/status.h"

namespace lockstep {

absl::Status Busy(absl::string_view what, absl::Duration at_most) {
  if (what.empty() || at_most < absl::ZeroDuration()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "Busy: expected what the host is busy with and for how long, found '",
        what, "' and ", absl::FormatDuration(at_most)));
  }
  ASSIGN_OR_RETURN(const auto view, internal::HostSessionView("Busy"));
  view->worker().control_plane().Busy(what, at_most);
  return absl::OkStatus();
}

}  // namespace lockstep
