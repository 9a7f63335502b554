#include "runtime/collectives/hierarchical/hierarchical_clique_provider.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/collectives/hierarchical/hierarchical_clique.h"
#include "runtime/collectives/hierarchical/hierarchical_core.h"

namespace lockstep::internal {

absl::StatusOr<std::unique_ptr<HierarchicalCliqueProvider>>
HierarchicalCliqueProvider::Create(Options options) {
  auto core = std::make_shared<HierarchicalCore>(std::move(options));
  RETURN_IF_ERROR(core->options().transport->Start(
      core->options().self.id, core->options().self.incarnation, core.get()));
  return std::unique_ptr<HierarchicalCliqueProvider>(
      new HierarchicalCliqueProvider(std::move(core)));
}

HierarchicalCliqueProvider::HierarchicalCliqueProvider(
    std::shared_ptr<HierarchicalCore> core)
    : core_(std::move(core)) {}

HierarchicalCliqueProvider::~HierarchicalCliqueProvider() {
  // While the core lives: the transport hands it messages until then. Cliques
  // that are still held keep the core for longer, without a transport.
  core_->options().transport->Stop();
}

absl::Status HierarchicalCliqueProvider::SetPeers(
    const std::vector<Peer>& peers) {
  return core_->SetPeers(peers);
}

absl::StatusOr<std::shared_ptr<Communicator>>
HierarchicalCliqueProvider::Acquire(const CliqueKey& key,
                                    GlobalDeviceId device) {
  const HostRef& self = core_->options().self;
  int rank = key.RankOf(device);
  if (rank < 0) {
    return absl::FailedPreconditionError(
        absl::StrCat("device ", device.value(), " is no member of the clique ",
                     key.ToString()));
  }
  if (key.members()[rank].host != self.id) {
    return absl::FailedPreconditionError(
        absl::StrCat("clique ", key.ToString(), ": device ", device.value(),
                     " is on ", core_->names().Host(key.members()[rank].host),
                     ", not on ", ToString(self)));
  }
  // Before the lock, so that the core's is not taken under it. A peer that is
  // lost after this look fails the clique's first collective.
  RETURN_IF_ERROR(core_->CheckAlive(key));
  absl::MutexLock lock(&mutex_);
  std::shared_ptr<HierarchicalClique> clique = cliques_[key].lock();
  if (clique == nullptr) {
    absl::erase_if(cliques_,
                   [](const auto& entry) { return entry.second.expired(); });
    clique = std::make_shared<HierarchicalClique>(key, core_);
    cliques_[key] = clique;
  }
  return HierarchicalClique::Endpoint(clique, rank);
}

void HierarchicalCliqueProvider::BeginLaunch(const LaunchId& launch,
                                             const CallDescription& call) {
  core_->BeginLaunch(launch, call);
}

void HierarchicalCliqueProvider::AbortLaunch(const LaunchId& launch,
                                             const absl::Status& cause) {
  core_->FailLaunch(launch, cause);
}

std::vector<PeerLink> HierarchicalCliqueProvider::Links() const {
  return core_->options().transport->Links();
}

std::vector<CollectiveWait> HierarchicalCliqueProvider::Waits() const {
  std::vector<std::shared_ptr<HierarchicalClique>> cliques;
  {
    absl::MutexLock lock(&mutex_);
    for (const auto& [key, weak] : cliques_) cliques.push_back(weak.lock());
  }
  // Without the lock: cliques take their own, and the last reference to one may
  // be ours.
  std::vector<CollectiveWait> waits;
  for (const auto& clique : cliques) {
    if (clique != nullptr) clique->AppendWaits(&waits);
  }
  std::sort(waits.begin(), waits.end(),
            [](const CollectiveWait& a, const CollectiveWait& b) {
              return a.device < b.device;
            });
  return waits;
}

}  // namespace lockstep::internal
