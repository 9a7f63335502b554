#include "client/examples/example_cluster.h"

#include <cstdlib>
#include <optional>

#include "client/cli/cluster_state.h"
#include "runtime/base/status.h"

namespace lockstep {

absl::StatusOr<Client> OpenCluster(const ExampleClusterOptions& options) {
  if (!options.coordinator.empty()) {
    return Client::Connect(options.coordinator);
  }
  if (options.hosts > 0) {
    return Client::Embedded(
        {.hosts = options.hosts, .devices_per_host = options.devices_per_host});
  }
  if (const char* address = std::getenv("LOCKSTEP_COORDINATOR")) {
    return Client::Connect(address);
  }
  ASSIGN_OR_RETURN(const StateDirectory directory, StateDirectory::Open());
  ASSIGN_OR_RETURN(const std::optional<ClusterState> cluster, directory.Read());
  if (cluster.has_value() && !cluster->address.empty()) {
    return Client::Connect(cluster->address);
  }
  return absl::FailedPreconditionError(
      "no cluster: give --coordinator, give --hosts for one that ends with "
      "this program, or start one with `lockstep up`");
}

}  // namespace lockstep
