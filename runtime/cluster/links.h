#ifndef LOCKSTEP_RUNTIME_CLUSTER_LINKS_H_
#define LOCKSTEP_RUNTIME_CLUSTER_LINKS_H_

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "runtime/cluster/host_ref.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// What a host's transport says of a peer from which nothing comes.
struct SilentPeer {
  HostId host;
  Incarnation incarnation;
  absl::Duration silent_for;
};

// Two hosts that cannot reach each other, while both reach the coordinator.
struct CutLink {
  HostRef first;
  HostRef second;
  absl::Status cause;  // UNAVAILABLE; names both

  bool Concerns(HostId host) const {
    return first.id == host || second.id == host;
  }
  // What launches end with that need it: ABORTED, by `first`.
  absl::Status ToStatus() const;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_CLUSTER_LINKS_H_
