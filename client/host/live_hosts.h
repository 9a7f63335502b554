#ifndef LOCKSTEP_CLIENT_HOST_LIVE_HOSTS_H_
#define LOCKSTEP_CLIENT_HOST_LIVE_HOSTS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "runtime/mesh/world.h"

// Which hosts are left, in the host view (spec M-27), for programs that go on
// without those that have died.

namespace lockstep {

// One life of a host.
struct LiveHost {
  int host_id = 0;
  std::string name;
  uint64_t incarnation = 0;  // another one after a restart
  friend bool operator==(const LiveHost&, const LiveHost&) = default;
};

struct LiveHostsOptions {
  // By id; none: all of the cluster. Calls for the same hosts meet each other.
  std::vector<int> hosts = {};
  // And of the same name, so that several threads may ask. Of
  // with_live_devices: the PmapOptions::sequence of what the function calls.
  std::string name = {};
  absl::Duration deadline = absl::Seconds(300);
};

// Those of the hosts that are alive, ascending by id: the same answer for every
// caller. Waits until all of them ask; a host that dies meanwhile, or has left,
// is not waited for. Errors:
//   INVALID_ARGUMENT     this host is not among them; a host that the cluster
//                        does not have; hosts wait for each other and ask for
//                        different ones
//   DEADLINE_EXCEEDED    names the hosts that are alive and did not ask
//   FAILED_PRECONDITION  within a callback of a program
absl::StatusOr<std::vector<LiveHost>> live_hosts(
    const LiveHostsOptions& options = {});

// Calls `function` with those of `devices` whose hosts are alive, ascending by
// id, the same on each of these hosts; then they agree on how it went: OK on
// all, when it was on all and none of them has died or was replaced meanwhile.
// Otherwise ABORTED on all, which names the first cause and its host, also
// where the function only failed, or threw. After that the hosts count their
// calls anew: on one of them the function may have ended before calls that it
// made on others. options.hosts is not looked at.
// INVALID_ARGUMENT: no device; none of this host; of live_hosts.
// FAILED_PRECONDITION: within a callback of a program.
absl::Status with_live_devices(
    const std::vector<Device>& devices,
    const std::function<absl::Status(const std::vector<Device>& live)>&
        function,
    const LiveHostsOptions& options = {});

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_HOST_LIVE_HOSTS_H_
