#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/logging.h"
#include "runtime/cluster/roster.h"
#include "runtime/collectives/device_fabric.h"
#include "runtime/collectives/nccl/nccl_clique_provider.h"
#include "runtime/cuda/nccl.h"

namespace lockstep::internal {
namespace {

class NcclFabric : public CollectiveFabric {
 public:
  NcclFabric(const NcclCommunicator::Options& options,
             std::unique_ptr<CollectiveFabric> hosts)
      : options_(options),
        hosts_(std::move(hosts)),
        provider_(options, hosts_->provider()) {}

  CliqueProvider& provider() override { return provider_; }
  std::string collectives() const override {
    return absl::StrCat(
        "NCCL ", options_.nccl->version, ", reduction mode ",
        ReductionModeName(options_.is_ordered ? ReductionMode::kOrdered
                                              : ReductionMode::kFast));
  }
  void BeginLaunch(const LaunchId& launch,
                   const CallDescription& call) override {
    hosts_->BeginLaunch(launch, call);
  }
  void AbortLaunch(const LaunchId& launch, const absl::Status& cause) override {
    hosts_->AbortLaunch(launch, cause);
  }
  absl::Status SetMembers(const Roster& roster) override {
    provider_.Retain([&roster](const CliqueMember& clique_member) {
      const Member* const member = roster.Find(clique_member.host);
      return member != nullptr && member->state == MemberState::kAlive &&
             member->host.incarnation == clique_member.incarnation;
    });
    return hosts_->SetMembers(roster);
  }
  std::vector<PeerLink> Links() const override { return hosts_->Links(); }
  std::vector<CollectiveWait> Waits() const override { return hosts_->Waits(); }

 private:
  const NcclCommunicator::Options options_;
  const std::unique_ptr<CollectiveFabric> hosts_;
  NcclCliqueProvider provider_;
};

// Where NCCL is missing collectives stay with the hosts, and the log says why.
absl::StatusOr<std::unique_ptr<CollectiveFabric>> WithNccl(
    const DeviceFabricOptions& asked, std::unique_ptr<CollectiveFabric> hosts) {
  NcclCommunicator::Options options;
  options.is_ordered = asked.reduction_mode == ReductionMode::kOrdered;
  const absl::StatusOr<const cuda::Nccl*> nccl = cuda::LoadNccl();
  if (!nccl.ok()) {
    LogWarning(
        absl::StrCat("without NCCL collectives go through the memory of the "
                     "hosts, which is slow: ",
                     nccl.status().message()));
    return hosts;
  }
  options.nccl = *nccl;
  return std::make_unique<NcclFabric>(options, std::move(hosts));
}

const bool kIsRegistered = RegisterDeviceFabric("cuda", WithNccl);

}  // namespace
}  // namespace lockstep::internal
