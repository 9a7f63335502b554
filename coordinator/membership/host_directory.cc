#include "coordinator/membership/host_directory.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "runtime/cluster/failure.h"

namespace lockstep::internal {

std::string HostList(const HostDirectory& directory, const HostSet& hosts) {
  std::vector<HostRef> refs;
  for (HostId host : hosts) refs.push_back(directory.Ref(host));
  return HostList(refs);
}

std::optional<HostId> FirstEnded(const HostDirectory& directory,
                                 const HostSet& hosts) {
  for (HostId host : hosts) {
    if (!directory.StateOf(host).ok()) return host;
  }
  return std::nullopt;
}

absl::Time LatestArrival(const HostDirectory& directory,
                         const std::vector<HostId>& missing,
                         absl::Time deadline) {
  for (HostId host : missing) {
    deadline = std::max(deadline, directory.BusyUntil(host));
  }
  return deadline;
}

absl::Status LateStatus(const HostDirectory& directory, const std::string& what,
                        const std::vector<HostRef>& arrived,
                        const std::vector<HostId>& missing,
                        absl::Duration waited) {
  std::vector<std::string> texts;
  for (HostId host : missing) texts.push_back(directory.Describe(host));
  const absl::Status cause = absl::DeadlineExceededError(absl::StrCat(
      what, ": ", arrived.size(), " of ", arrived.size() + missing.size(),
      " hosts arrived within ", absl::FormatDuration(waited),
      "; missing: ", CutList(texts)));
  return AbortedBy(directory.Ref(missing.front()), cause, what);
}

}  // namespace lockstep::internal
