#include <utility>

#include "runtime/collectives/in_process/in_process_clique_provider.h"
#include "runtime/worker/host_fabric.h"

namespace lockstep::internal {
namespace {

class LocalFabric : public CollectiveFabric {
 public:
  explicit LocalFabric(CollectiveNames names)
      : provider_(OptionsWith(std::move(names))) {}

  CliqueProvider& provider() override { return provider_; }
  void AbortLaunch(const LaunchId& launch, const absl::Status& cause) override {
    provider_.AbortLaunch(launch, cause);
  }
  absl::Status SetMembers(const Roster& roster) override {
    return absl::OkStatus();
  }
  std::vector<PeerLink> Links() const override { return {}; }
  std::vector<CollectiveWait> Waits() const override {
    return provider_.Waits();
  }

 private:
  static InProcessCliqueProvider::Options OptionsWith(CollectiveNames names) {
    InProcessCliqueProvider::Options options;
    options.names = std::move(names);
    return options;
  }

  InProcessCliqueProvider provider_;
};

}  // namespace

std::unique_ptr<CollectiveFabric> MakeLocalFabric(CollectiveNames names) {
  return std::make_unique<LocalFabric>(std::move(names));
}

}  // namespace lockstep::internal
