#include <memory>
#include <vector>

#include "runtime/base/check.h"
#include "runtime/collectives/in_memory_transport/in_memory_network.h"
#include "runtime/collectives/nccl/nccl_clique_provider.h"
#include "runtime/cuda/nccl.h"
#include "tests/conformance/communicator/hierarchical_cluster.h"

namespace lockstep::internal {
namespace {

// Devices that meet through NCCL, hosts that agree over the transport in
// memory.
class NcclCluster : public CommunicatorCluster {
 public:
  explicit NcclCluster(int host_count)
      : network_(InMemoryNetwork::Create()),
        hosts_(
            host_count, [this] { return network_->NewTransport(); },
            [this](Transport& transport) {
              network_->Kill(transport.address());
            }) {
    // What the suite expects are the bits of K-4's order.
    const NcclCommunicator::Options options = {.nccl = *cuda::LoadNccl(),
                                               .is_ordered = true};
    for (int host = 0; host < host_count; ++host) {
      providers_.push_back(std::make_unique<NcclCliqueProvider>(
          options, hosts_.provider(HostId(host))));
    }
  }

  CliqueProvider& provider(HostId host) override {
    return *providers_[host.value()];
  }
  const CollectiveProgress& progress(HostId host) override {
    return hosts_.progress(host);
  }
  void AbortLaunch(HostId host, const LaunchId& launch,
                   const absl::Status& cause) override {
    hosts_.AbortLaunch(host, launch, cause);
  }
  bool can_kill() const override { return true; }
  void Kill(HostId host) override { hosts_.Kill(host); }

 private:
  const std::shared_ptr<InMemoryNetwork> network_;
  HierarchicalCluster hosts_;
  std::vector<std::unique_ptr<NcclCliqueProvider>> providers_;
};

}  // namespace

std::unique_ptr<CommunicatorCluster> MakeCommunicatorCluster(int host_count) {
  return std::make_unique<NcclCluster>(host_count);
}

}  // namespace lockstep::internal
