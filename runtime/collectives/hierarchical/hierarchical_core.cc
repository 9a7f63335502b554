#include "runtime/collectives/hierarchical/hierarchical_core.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/check.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/cluster/failure.h"
#include "runtime/cluster/shared_cause.h"

namespace lockstep::internal {

HierarchicalCore::HierarchicalCore(HierarchicalCliqueProvider::Options options)
    : options_(std::move(options)) {
  names_.program = options_.program_name;
  names_.host = [this](HostId host) { return ToString(RefOf(host)); };
  refs_[options_.self.id] = options_.self;
}

absl::Status HierarchicalCore::SetPeers(
    const std::vector<HierarchicalCliqueProvider::Peer>& peers) {
  std::vector<TransportPeer> transport_peers;
  {
    absl::MutexLock lock(&names_mutex_);
    for (const auto& peer : peers) refs_[peer.host.id] = peer.host;
  }
  {
    absl::MutexLock lock(&mutex_);
    peers_.clear();
    for (const auto& peer : peers) {
      if (peer.host.id == options_.self.id) continue;
      peers_[peer.host.id] = Peer{peer.host.incarnation, absl::OkStatus()};
      transport_peers.push_back(
          {peer.host.id, peer.host.incarnation, peer.address});
    }
  }
  for (const std::shared_ptr<Mailbox>& mailbox : Mailboxes()) {
    for (const TransportPeer& peer : transport_peers) {
      mailbox->OnHostBack(peer.host);
    }
  }
  return options_.transport->SetPeers(transport_peers);
}

absl::Status HierarchicalCore::CheckAlive(const CliqueKey& key) const {
  absl::MutexLock lock(&mutex_);
  for (const CliqueMember& member : key.members()) {
    Incarnation alive = options_.self.incarnation;
    if (member.host != options_.self.id) {
      auto it = peers_.find(member.host);
      if (it == peers_.end()) {
        return absl::FailedPreconditionError(absl::StrCat(
            "clique ", key.ToString(), ": ", names_.Host(member.host),
            " of device ", member.device.value(), " is not in the cluster"));
      }
      if (!it->second.lost.ok()) {
        return absl::FailedPreconditionError(absl::StrCat(
            "clique ", key.ToString(), ": ", names_.Host(member.host),
            " of device ", member.device.value(),
            " is lost: ", it->second.lost.message()));
      }
      alive = it->second.incarnation;
    }
    if (member.incarnation != alive) {
      return absl::FailedPreconditionError(absl::StrCat(
          "clique ", key.ToString(), ": incarnation ",
          ToString(member.incarnation), " of ", names_.Host(member.host),
          " is not alive, ", ToString(alive), " is"));
    }
  }
  return absl::OkStatus();
}

std::shared_ptr<Mailbox> HierarchicalCore::UseMailbox(uint64_t clique) {
  SharedMailbox& shared = mailboxes_[clique];
  ++shared.users;
  std::shared_ptr<Mailbox>& mailbox = shared.mailbox;
  if (mailbox == nullptr) {
    Mailbox::Options options;
    options.fail_launch = [this](const LaunchId& launch,
                                 const absl::Status& cause) {
      FailLaunch(launch, cause);
    };
    options.failures = &failures_;
    options.names = names_;
    options.transport = options_.transport;
    mailbox = std::make_shared<Mailbox>(std::move(options));
    failures_.Listen(mailbox);
  }
  return mailbox;
}

std::shared_ptr<Mailbox> HierarchicalCore::AcquireMailbox(
    const CliqueKey& key) {
  // Under one lock: a host that is lost between the two would be told neither
  // here nor by the loop over all mailboxes that the loss runs.
  absl::MutexLock lock(&mutex_);
  std::shared_ptr<Mailbox> mailbox = UseMailbox(key.Digest());
  for (HostId host : key.Hosts()) {
    auto it = peers_.find(host);
    if (it != peers_.end() && !it->second.lost.ok()) {
      mailbox->OnHostLost(host, it->second.lost);
    }
  }
  return mailbox;
}

void HierarchicalCore::ReleaseMailbox(const CliqueKey& key) {
  EndUseOfMailbox(key.Digest());
}

void HierarchicalCore::EndUseOfMailbox(uint64_t clique) {
  absl::MutexLock lock(&mutex_);
  auto it = mailboxes_.find(clique);
  LOCKSTEP_CHECK(it != mailboxes_.end());
  // A message may come before this host's own devices do: it is kept for them.
  if (--it->second.users == 0 && it->second.mailbox->is_empty()) {
    mailboxes_.erase(it);
  }
}

std::vector<std::shared_ptr<Mailbox>> HierarchicalCore::Mailboxes() const {
  absl::MutexLock lock(&mutex_);
  std::vector<std::shared_ptr<Mailbox>> mailboxes;
  for (const auto& [clique, shared] : mailboxes_) {
    mailboxes.push_back(shared.mailbox);
  }
  return mailboxes;
}

void HierarchicalCore::BeginLaunch(const LaunchId& launch,
                                   const CallDescription& call) {
  const absl::Status same = calls_.AddOwn(launch, options_.self, call);
  if (!same.ok()) FailLaunch(launch, same);
}

void HierarchicalCore::FailLaunch(const LaunchId& launch,
                                  const absl::Status& cause) {
  // Recorded first, and told once: an abort that a peer sends back on ours
  // finds the launch failed, and goes no further.
  if (!failures_.Fail(launch, cause)) return;
  std::vector<HostId> hosts;
  {
    absl::MutexLock lock(&mutex_);
    for (const auto& [host, peer] : peers_) {
      if (peer.lost.ok()) hosts.push_back(host);
    }
  }
  WireHeader header;
  header.type = WireHeader::MessageType::kAbort;
  header.call.epoch = launch.epoch;
  header.call.launch_sequence = launch.sequence;
  header.call.launch = launch.launch;
  header.status = cause;
  for (HostId host : hosts) Send(host, header, nullptr);
}

void HierarchicalCore::Send(HostId to, WireHeader& header,
                            std::shared_ptr<const MessageBuffer> payload) {
  header.source_incarnation = options_.self.incarnation;
  {
    absl::MutexLock lock(&mutex_);
    auto it = peers_.find(to);
    if (it == peers_.end()) return;
    header.target_incarnation = it->second.incarnation;
  }
  options_.transport->Send(to, EncodeWireHeader(header), std::move(payload));
}

void HierarchicalCore::OnMessage(HostId peer, Incarnation incarnation,
                                 absl::string_view header_bytes,
                                 std::shared_ptr<const MessageBuffer> payload) {
  absl::StatusOr<WireHeader> header = DecodeWireHeader(header_bytes);
  if (!header.ok()) {
    LogWarning(absl::StrCat("message of ", names_.Host(peer),
                            " is dropped: ", header.status().message()));
    return;
  }
  // The lives before the content: what an earlier life of the sender wrote is
  // for nobody, and what is for an earlier life of this host is refused, also
  // an abort, whose launch number would mean another launch now.
  if (header->source_incarnation != incarnation) return;
  if (header->target_incarnation != options_.self.incarnation) {
    Refuse(peer, *header);
    return;
  }
  if (header->type == WireHeader::MessageType::kAbort) {
    OnAbort(peer, *header);
    return;
  }
  const LaunchId launch = LaunchOf(header->call);
  const absl::Status same = calls_.AddOther(
      launch, RefOf(peer), {header->call_digest, header->call_text});
  if (!same.ok()) return FailLaunch(launch, same);
  const uint64_t clique = header->clique;
  std::shared_ptr<Mailbox> mailbox;
  {
    absl::MutexLock lock(&mutex_);
    mailbox = UseMailbox(clique);
  }
  mailbox->Deliver(peer, {*std::move(header), std::move(payload)});
  EndUseOfMailbox(clique);
}

void HierarchicalCore::OnAbort(HostId peer, const WireHeader& header) {
  absl::Status cause = header.status;
  if (!IsSharedCause(cause)) {
    cause = AbortedBy(RefOf(peer), cause,
                      absl::StrCat("launch ", header.call.launch.value()));
  }
  failures_.Fail(LaunchOf(header.call), cause);
}

void HierarchicalCore::Refuse(HostId peer, const WireHeader& header) {
  if (header.type == WireHeader::MessageType::kAbort) return;
  WireHeader reply;
  reply.type = WireHeader::MessageType::kAbort;
  reply.call = header.call;
  reply.status = AsSharedCause(absl::FailedPreconditionError(
      absl::StrCat(Describe(header.call), ": is meant for incarnation ",
                   ToString(header.target_incarnation), " of ",
                   names_.Host(options_.self.id), ", which is in incarnation ",
                   ToString(options_.self.incarnation))));
  Send(peer, reply, nullptr);
}

void HierarchicalCore::OnPeerFailed(HostId peer, Incarnation incarnation,
                                    const absl::Status& status) {
  {
    absl::MutexLock lock(&mutex_);
    auto it = peers_.find(peer);
    if (it == peers_.end() || it->second.incarnation != incarnation) return;
    it->second.lost = status;
  }
  for (const std::shared_ptr<Mailbox>& mailbox : Mailboxes()) {
    mailbox->OnHostLost(peer, status);
  }
}

void HierarchicalCore::OnPeerBack(HostId peer, Incarnation incarnation) {
  {
    absl::MutexLock lock(&mutex_);
    auto it = peers_.find(peer);
    if (it == peers_.end() || it->second.incarnation != incarnation) return;
    it->second.lost = absl::OkStatus();
  }
  for (const std::shared_ptr<Mailbox>& mailbox : Mailboxes()) {
    mailbox->OnHostBack(peer);
  }
}

HostRef HierarchicalCore::RefOf(HostId host) const {
  absl::MutexLock lock(&names_mutex_);
  auto it = refs_.find(host);
  return it == refs_.end() ? HostRef{host, "", Incarnation()} : it->second;
}

}  // namespace lockstep::internal
