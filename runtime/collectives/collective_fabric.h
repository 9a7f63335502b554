#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_COLLECTIVE_FABRIC_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_COLLECTIVE_FABRIC_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/cluster/call.h"
#include "runtime/cluster/roster.h"
#include "runtime/collectives/clique_provider.h"
#include "runtime/collectives/collective_progress.h"
#include "runtime/collectives/launch_id.h"
#include "runtime/collectives/transport.h"

namespace lockstep::internal {

// What connects the devices of a worker with each other and with those of other
// hosts. Thread-safe.
class CollectiveFabric {
 public:
  virtual ~CollectiveFabric() = default;

  virtual CliqueProvider& provider() = 0;
  // What moves and reduces data; the same on all hosts of a program.
  virtual std::string collectives() const { return "the hosts"; }
  // This host makes `call` under `launch`: other hosts must make the same.
  virtual void BeginLaunch(const LaunchId& launch,
                           const CallDescription& call) {}
  // A launch failed on this host, or the coordinator says that it failed: ends
  // every wait within it, also those that begin later.
  virtual void AbortLaunch(const LaunchId& launch,
                           const absl::Status& cause) = 0;
  // The other hosts, after Join and with every new membership.
  virtual absl::Status SetMembers(const Roster& roster) = 0;
  // The other hosts as the transport sees them; empty when it does not look.
  virtual std::vector<PeerLink> Links() const = 0;
  // The local devices that wait in a collective.
  virtual std::vector<CollectiveWait> Waits() const = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_COLLECTIVE_FABRIC_H_
