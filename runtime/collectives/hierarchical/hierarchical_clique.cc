#include "runtime/collectives/hierarchical/hierarchical_clique.h"

#include <algorithm>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/collectives/hierarchical/host_collective.h"
#include "runtime/collectives/in_process/local_collective.h"
#include "runtime/collectives/rendezvous_communicator.h"

namespace lockstep::internal {

HierarchicalClique::HierarchicalClique(const CliqueKey& key,
                                       std::shared_ptr<HierarchicalCore> core)
    : key_(key),
      digest_(key.Digest()),
      core_(std::move(core)),
      plan_(key, core_->options().self.id),
      mailbox_(core_->AcquireMailbox(key)),
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
  context.exchange = this;
  context.buffers = &core_->buffers();
  context.direct_max_bytes = core_->options().direct_max_bytes;
  return RunHostCollective(context);
}

absl::StatusOr<std::vector<PayloadPtr>> HierarchicalClique::Exchange(
    const Arrival& arrival, int phase, const std::vector<HostPart>& parts,
    const std::function<void()>& meanwhile) {
  const CliqueMember& self = key_.members()[arrival.rank];
  WireHeader header;
  header.device = self.device;
  header.call = *arrival.call;
  header.clique = digest_;
  header.kind = arrival.kind;
  header.phase = static_cast<uint8_t>(phase);
  CallDescription call = core_->CallOf(LaunchOf(*arrival.call));
  header.call_digest = call.digest;
  if (arrival.call->number == 0 && phase == 0) {
    header.call_text = std::move(call.text);
  }
  Transport& transport = *core_->options().transport;
  // Before the first message: what a driver sends goes out in its own steps,
  // and no other thread has to wake for it. A driver that has something else to
  // do would keep its messages until it is done.
  bool drives = meanwhile == nullptr && transport.TryDrive();
  // Receive stops driving by itself when the transport ends, and clears it.
  const absl::Cleanup stop = [&transport, &drives] {
    if (drives) transport.StopDriving();
  };
  // All messages before the wait: every host waits for those of all others.
  for (int host = 0; host < plan_.host_count(); ++host) {
    if (host == plan_.self()) continue;
    header.layout = parts[host].layout;
    header.payload_bytes = parts[host].payload->size();
    core_->Send(plan_.host(host), header, parts[host].payload);
  }
  if (meanwhile != nullptr) {
    meanwhile();
    drives = transport.TryDrive();
  }
  ASSIGN_OR_RETURN(
      std::vector<Mailbox::Message> messages,
      mailbox_->Receive(self, *arrival.call, phase, other_hosts_, &drives));
  std::vector<PayloadPtr> payloads(plan_.host_count());
  auto message = messages.begin();
  for (int host = 0; host < plan_.host_count(); ++host) {
    if (host == plan_.self()) continue;
    RETURN_IF_ERROR(CheckMessage(arrival, host, parts[host], *message));
    payloads[host] = std::move(message->payload);
    if (payloads[host] == nullptr) payloads[host] = core_->buffers().Get(0);
    ++message;
  }
  return payloads;
}

absl::Status HierarchicalClique::CheckMessage(
    const Arrival& arrival, int host, const HostPart& part,
    const Mailbox::Message& message) const {
  size_t bytes = message.payload == nullptr ? 0 : message.payload->size();
  if (message.header.kind == arrival.kind &&
      message.header.layout == part.expected_layout &&
      bytes == part.expected_bytes && bytes == message.header.payload_bytes) {
    return absl::OkStatus();
  }
  return absl::InternalError(absl::StrCat(
      Describe(*arrival.call), ": ", core_->names().Host(plan_.host(host)),
      " sent ", bytes, " of ", message.header.payload_bytes, " bytes of ",
      CollectiveKindName(message.header.kind), ", expected ",
      part.expected_bytes, " bytes of ", CollectiveKindName(arrival.kind),
      message.header.layout == part.expected_layout
          ? ""
          : "; its arguments differ from those of this host"));
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
