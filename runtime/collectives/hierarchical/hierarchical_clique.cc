#include "runtime/collectives/hierarchical/hierarchical_clique.h"

#include <algorithm>
#include <utility>

#include "runtime/collectives/hierarchical/host_collective.h"
#include "runtime/collectives/in_process/local_collective.h"
#include "runtime/collectives/rendezvous_communicator.h"

namespace lockstep::internal {

HierarchicalClique::HierarchicalClique(const CliqueKey& key,
                                       std::shared_ptr<HierarchicalCore> core)
    : key_(key),
      core_(std::move(core)),
      plan_(key, core_->options().self.id),
      mailbox_(core_->AcquireMailbox(key)),
      streams_(key_, plan_, *core_, *mailbox_),
      endpoints_(key.size()) {
  for (int host = 0; host < plan_.host_count(); ++host) {
    if (host != plan_.self()) other_hosts_.push_back(plan_.host(host));
  }
  Rendezvous::Options options;
  options.key = key_;
  options.local_ranks = plan_.local_ranks();
  options.execute = [this](absl::Span<const Arrival* const> arrivals) {
    return Execute(arrivals);
  };
  options.fail_launch = [core = core_.get()](const LaunchId& launch,
                                             const absl::Status& cause) {
    core->FailLaunch(launch, cause);
  };
  options.failures = &core_->failures();
  options.clock = core_->options().clock;
  options.names = core_->names();
  options.remote_missing = [this] { return RemoteMissing(); };
  rendezvous_ = std::make_shared<Rendezvous>(std::move(options));
  // What failed before is not told: who arrives looks it up.
  core_->failures().Listen(rendezvous_);
}

HierarchicalClique::~HierarchicalClique() { core_->ReleaseMailbox(key_); }

std::shared_ptr<Communicator> HierarchicalClique::Endpoint(
    const std::shared_ptr<HierarchicalClique>& clique, int rank) {
  absl::MutexLock lock(&clique->mutex_);
  std::shared_ptr<Communicator> endpoint = clique->endpoints_[rank].lock();
  if (endpoint == nullptr) {
    endpoint = std::make_shared<RendezvousCommunicator>(
        clique->key_, rank, clique->rendezvous_.get(), clique);
    clique->endpoints_[rank] = endpoint;
  }
  return endpoint;
}

absl::Status HierarchicalClique::Execute(
    absl::Span<const Arrival* const> arrivals) {
  if (plan_.host_count() == 1) return RunLocalCollective(arrivals);
  HostCollectiveContext context;
  context.plan = &plan_;
  context.arrivals = arrivals;
  context.exchange = &streams_;
  context.buffers = &core_->buffers();
  context.direct_max_bytes = core_->options().direct_max_bytes;
  context.message_bytes = core_->options().message_bytes;
  return RunHostCollective(context);
}

std::vector<CliqueMember> HierarchicalClique::RemoteMissing() const {
  std::vector<HostId> hosts = mailbox_->Missing(other_hosts_);
  std::vector<CliqueMember> missing;
  for (const CliqueMember& member : key_.members()) {
    if (std::find(hosts.begin(), hosts.end(), member.host) != hosts.end()) {
      missing.push_back(member);
    }
  }
  return missing;
}

}  // namespace lockstep::internal
