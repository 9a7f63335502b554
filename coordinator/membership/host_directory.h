#ifndef LOCKSTEP_COORDINATOR_MEMBERSHIP_HOST_DIRECTORY_H_
#define LOCKSTEP_COORDINATOR_MEMBERSHIP_HOST_DIRECTORY_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "coordinator/base/host_set.h"
#include "runtime/cluster/host_ref.h"

namespace lockstep::internal {

// What barrier, agreement and axis resolution need to know of the hosts.
class HostDirectory {
 public:
  virtual ~HostDirectory() = default;

  // Of any host of the cluster, dead ones too.
  virtual bool Knows(HostId host) const = 0;
  virtual HostRef Ref(HostId host) const = 0;
  virtual HostSet AllHosts() const = 0;
  // OK while the host is alive; then why it is not.
  virtual absl::Status StateOf(HostId host) const = 0;
  // The host with its state and what it does: "host 3 (gpu03), late, compiling
  // train_step".
  virtual std::string Describe(HostId host) const = 0;
  // Until when the host has announced to be busy; the past: not at all.
  virtual absl::Time BusyUntil(HostId host) const = 0;
};

// "host 0 (a), host 1 (b)".
std::string HostList(const HostDirectory& directory, const HostSet& hosts);

// The first of `hosts` that is not alive; none: all are.
std::optional<HostId> FirstEnded(const HostDirectory& directory,
                                 const HostSet& hosts);

// `deadline`, or later when one of the missing hosts is busy.
absl::Time LatestArrival(const HostDirectory& directory,
                         const std::vector<HostId>& missing,
                         absl::Time deadline);
// What those who wait get when `missing` did not come: ABORTED with the first
// of them as the origin; names all.
absl::Status LateStatus(const HostDirectory& directory, const std::string& what,
                        const std::vector<HostRef>& arrived,
                        const std::vector<HostId>& missing,
                        absl::Duration waited);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_COORDINATOR_MEMBERSHIP_HOST_DIRECTORY_H_
