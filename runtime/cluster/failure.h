#ifndef LOCKSTEP_RUNTIME_CLUSTER_FAILURE_H_
#define LOCKSTEP_RUNTIME_CLUSTER_FAILURE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/cluster/host_ref.h"
#include "runtime/cluster/progress.h"
#include "runtime/cluster/shared_cause.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// ABORTED because of another host (docs/behaviour/README.md, status codes):
// names `origin` with its incarnation, its own status, and what was running
// ("": nothing). The origin travels as a payload. A `cause` that names an
// origin already is returned as it is: the first cause wins.
absl::Status AbortedBy(const HostRef& origin, const absl::Status& cause,
                       absl::string_view running);

// What is told of a failure on `host` to those who do not run there: a host
// that gives up ends the work of others, as AbortedBy; any other status keeps
// its code and names the host. One that names an origin, or lies between hosts,
// is returned as it is.
absl::Status FailedOn(const HostRef& host, const absl::Status& cause,
                      absl::string_view running);

// The host that a status of AbortedBy names; none for other statuses.
std::optional<HostRef> OriginOf(const absl::Status& status);

// Why work that involves other hosts ended, pushed to everybody concerned
// (spec M-24).
struct Failure {
  HostRef origin;
  absl::Status cause;   // the origin's own status
  std::string running;  // program, launch and collective; who waited where
  // The cause lies between hosts, such as calls that differ, and reaches all of
  // them as it is.
  bool is_shared = false;
  // Set: this launch failed, its participants stay usable. None: the host is
  // lost, and with it every launch and wait in which it takes part.
  std::optional<LaunchKey> launch;
  std::string program;               // of the launch
  std::vector<HostId> participants;  // of the launch
  // Later errors that followed from this one.
  std::vector<std::string> collateral;

  // What waits end with.
  absl::Status ToStatus() const {
    return is_shared ? AsSharedCause(cause) : AbortedBy(origin, cause, running);
  }
};

// A launch that failed on this host.
struct LaunchFailure {
  LaunchKey launch;
  std::string program;
  std::vector<HostId> participants;
  std::string collective;  // running when it failed; "": none
  std::string call;        // the text of the call; "": none
  absl::Status status;
  bool is_shared = false;  // see Failure
  // The command that asked for it, in the global view; 0: none.
  int64_t command = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_FAILURE_H_
