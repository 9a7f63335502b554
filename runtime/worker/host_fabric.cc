#include "runtime/worker/host_fabric.h"

#include <utility>

#include "runtime/base/status.h"
#include "runtime/collectives/hierarchical/hierarchical_clique_provider.h"

namespace lockstep::internal {
namespace {

class HostFabric : public CollectiveFabric {
 public:
  // The provider stops the transport before that goes.
  HostFabric(HostId self, std::unique_ptr<Transport> transport,
             std::unique_ptr<HierarchicalCliqueProvider> provider)
      : self_(self),
        transport_(std::move(transport)),
        provider_(std::move(provider)) {}

  CliqueProvider& provider() override { return *provider_; }
  void BeginLaunch(const LaunchId& launch,
                   const CallDescription& call) override {
    provider_->BeginLaunch(launch, call);
  }
  void AbortLaunch(const LaunchId& launch, const absl::Status& cause) override {
    provider_->AbortLaunch(launch, cause);
  }
  absl::Status SetMembers(const Roster& roster) override {
    std::vector<HierarchicalCliqueProvider::Peer> peers;
    for (const Member& member : roster.members) {
      if (member.host.id == self_ || member.state != MemberState::kAlive) {
        continue;
      }
      peers.push_back({member.host, member.transport_address});
    }
    if (!roster.secrets.empty()) transport_->SetSecrets(roster.secrets);
    return provider_->SetPeers(peers);
  }
  std::vector<PeerLink> Links() const override { return provider_->Links(); }
  std::vector<CollectiveWait> Waits() const override {
    return provider_->Waits();
  }

 private:
  const HostId self_;
  const std::unique_ptr<Transport> transport_;
  const std::unique_ptr<HierarchicalCliqueProvider> provider_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<CollectiveFabric>> MakeHostFabric(
    const HostRef& self, std::unique_ptr<Transport> transport,
    CollectiveNames names) {
  HierarchicalCliqueProvider::Options options;
  options.self = self;
  options.transport = transport.get();
  options.program_name = std::move(names.program);
  ASSIGN_OR_RETURN(std::unique_ptr<HierarchicalCliqueProvider> provider,
                   HierarchicalCliqueProvider::Create(std::move(options)));
  return std::make_unique<HostFabric>(self.id, std::move(transport),
                                      std::move(provider));
}

}  // namespace lockstep::internal
