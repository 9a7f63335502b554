#include "runtime/collectives/in_process/in_process_clique_provider.h"
#include "tests/conformance/communicator/communicator_cluster.h"

namespace lockstep::internal {
namespace {

// All "hosts" share one provider, as the reference interpreter's devices do.
class InProcessCluster : public CommunicatorCluster {
 public:
  CliqueProvider& provider(HostId) override { return provider_; }
  const CollectiveProgress& progress(HostId) override { return provider_; }
  void AbortLaunch(HostId, const LaunchId& launch,
                   const absl::Status& cause) override {
    provider_.AbortLaunch(launch, cause);
  }

 private:
  InProcessCliqueProvider provider_;
};

}  // namespace

std::unique_ptr<CommunicatorCluster> MakeCommunicatorCluster(int) {
  return std::make_unique<InProcessCluster>();
}

}  // namespace lockstep::internal
