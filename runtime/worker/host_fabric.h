#ifndef LOCKSTEP_RUNTIME_WORKER_HOST_FABRIC_H_
#define LOCKSTEP_RUNTIME_WORKER_HOST_FABRIC_H_

#include <memory>

#include "absl/status/statusor.h"
#include "runtime/cluster/host_ref.h"
#include "runtime/collectives/call_mismatch.h"
#include "runtime/collectives/collective_fabric.h"
#include "runtime/collectives/transport.h"

namespace lockstep::internal {

// Fabrics whose collectives the hosts run, for devices of any platform.

// For a cluster of one host.
std::unique_ptr<CollectiveFabric> MakeLocalFabric(CollectiveNames names);

// For several: devices of this host meet in memory, hosts over `transport`,
// which is not started. Errors are the transport's.
absl::StatusOr<std::unique_ptr<CollectiveFabric>> MakeHostFabric(
    const HostRef& self, std::unique_ptr<Transport> transport,
    CollectiveNames names);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_WORKER_HOST_FABRIC_H_
