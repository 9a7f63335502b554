#ifndef LOCKSTEP_TESTS_CONFORMANCE_COMMUNICATOR_COMMUNICATOR_CLUSTER_H_
#define LOCKSTEP_TESTS_CONFORMANCE_COMMUNICATOR_COMMUNICATOR_CLUSTER_H_

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "runtime/collectives/clique_key.h"
#include "runtime/collectives/clique_provider.h"
#include "runtime/collectives/collective_progress.h"
#include "runtime/collectives/launch_id.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// Hosts, each with the provider under test, in one process.
class CommunicatorCluster {
 public:
  virtual ~CommunicatorCluster() = default;
  virtual CliqueProvider& provider(HostId host) = 0;
  virtual const CollectiveProgress& progress(HostId host) = 0;
  // What a worker does when a launch fails on its host.
  virtual void AbortLaunch(HostId host, const LaunchId& launch,
                           const absl::Status& cause) = 0;
  // Whether hosts can die alone.
  virtual bool can_kill() const { return false; }
  // The host disappears as a killed process does.
  virtual void Kill(HostId host) {}
};

Incarnation IncarnationOf(HostId host);

// Each implementation links its own. Hosts 0 .. host_count - 1.
std::unique_ptr<CommunicatorCluster> MakeCommunicatorCluster(int host_count);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_CONFORMANCE_COMMUNICATOR_COMMUNICATOR_CLUSTER_H_
