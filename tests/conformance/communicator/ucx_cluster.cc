#include "runtime/base/check.h"
#include "runtime/collectives/ucx/ucx_transport.h"
#include "tests/conformance/communicator/hierarchical_cluster.h"

namespace lockstep::internal {

std::unique_ptr<CommunicatorCluster> MakeCommunicatorCluster(int host_count) {
  return std::make_unique<HierarchicalCluster>(
      host_count,
      []() -> std::unique_ptr<Transport> {
        auto transport = UcxTransport::Create(UcxTransport::Options());
        LOCKSTEP_CHECK(transport.ok());
        return *std::move(transport);
      },
      [](Transport& transport) { transport.Stop(); });
}

}  // namespace lockstep::internal
