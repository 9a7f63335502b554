#include "runtime/collectives/in_memory_transport/in_memory_network.h"
#include "tests/conformance/communicator/hierarchical_cluster.h"

namespace lockstep::internal {

std::unique_ptr<CommunicatorCluster> MakeCommunicatorCluster(int host_count) {
  std::shared_ptr<InMemoryNetwork> network = InMemoryNetwork::Create();
  return std::make_unique<HierarchicalCluster>(
      host_count, [network] { return network->NewTransport(); },
      [network](Transport& transport) { network->Kill(transport.address()); });
}

}  // namespace lockstep::internal
