#include "runtime/collectives/in_memory_transport/in_memory_transport.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

InMemoryTransport::InMemoryTransport(std::shared_ptr<InMemoryNetwork> network)
    : network_(std::move(network)),
      thread_(std::make_unique<ThreadPool>("memory-net", 1)) {
  address_ = network_->Register(this);
}

InMemoryTransport::~InMemoryTransport() { Stop(); }

absl::Status InMemoryTransport::Start(HostId self, Incarnation incarnation,
                                      TransportHandler* handler) {
  absl::MutexLock lock(&mutex_);
  self_ = self;
  incarnation_ = incarnation;
  handler_ = handler;
  return absl::OkStatus();
}

absl::Status InMemoryTransport::SetPeers(
    const std::vector<TransportPeer>& peers) {
  absl::MutexLock lock(&mutex_);
  // Of a former life: what it sent before it ended is still delivered, as a
  // network would.
  for (auto& [host, peer] : peers_) former_peers_[host] = peer;
  peers_.clear();
  for (const TransportPeer& peer : peers) {
    if (peer.host == self_) continue;
    if (!network_->IsAlive(peer.address)) {
      return absl::UnavailableError(absl::StrCat(
          "host ", peer.host.value(), " cannot be reached: nobody is at '",
          peer.address, "'"));
    }
    peers_[peer.host] = peer;
    former_peers_.erase(peer.host);
  }
  Schedule([](InMemoryTransport& self) { self.DeliverEarly(); });
  return absl::OkStatus();
}

void InMemoryTransport::Send(HostId peer, std::string header,
                             std::shared_ptr<const MessageBuffer> payload) {
  Message message;
  std::string to;
  {
    absl::MutexLock lock(&mutex_);
    auto it = peers_.find(peer);
    if (it == peers_.end() || is_stopped_) return;
    to = it->second.address;
    message = Message{TransportPeer{self_, incarnation_, address_},
                      std::move(header), std::move(payload)};
  }
  network_->Post(address_, to,
                 [message = std::move(message)](InMemoryTransport& receiver) {
                   receiver.Receive(message);
                 });
}

void InMemoryTransport::Schedule(std::function<void(InMemoryTransport&)> task) {
  thread_->Schedule([this, task = std::move(task)] { task(*this); });
}

bool InMemoryTransport::IsFrom(const Peers& peers, const Message& message) {
  auto it = peers.find(message.from.host);
  return it != peers.end() && it->second.address == message.from.address;
}

void InMemoryTransport::Receive(const Message& message) {
  TransportHandler* handler = nullptr;
  {
    absl::MutexLock lock(&mutex_);
    if (is_stopped_) return;
    const bool is_peer =
        IsFrom(peers_, message) || IsFrom(former_peers_, message);
    // An early message of the same sender is delivered by a task that has not
    // run yet; this one must not come before it.
    bool overtakes =
        std::any_of(early_.begin(), early_.end(), [&](const Message& early) {
          return early.from.address == message.from.address;
        });
    if (!is_peer || overtakes) {
      early_.push_back(message);
      return;
    }
    handler = handler_;
  }
  handler->OnMessage(message.from.host, message.from.incarnation,
                     message.header, message.payload);
}

void InMemoryTransport::DeliverEarly() {
  std::vector<Message> early;
  {
    absl::MutexLock lock(&mutex_);
    early.swap(early_);
  }
  for (const Message& message : early) Receive(message);
}

void InMemoryTransport::PeerFailed(const std::string& address) {
  TransportHandler* handler = nullptr;
  TransportPeer failed;
  {
    absl::MutexLock lock(&mutex_);
    if (is_stopped_) return;
    for (const auto& [host, peer] : peers_) {
      if (peer.address == address) failed = peer;
    }
    if (failed.address.empty()) return;
    peers_.erase(failed.host);
    handler = handler_;
  }
  handler->OnPeerFailed(
      failed.host, failed.incarnation,
      absl::UnavailableError(absl::StrCat("connection to '", address,
                                          "' lost: the process is gone")));
}

void InMemoryTransport::Stop() {
  // First of all: from then on the network schedules nothing on the thread that
  // ends below. What it has scheduled sees that this is stopped.
  network_->Unregister(address_);
  {
    absl::MutexLock lock(&mutex_);
    is_stopped_ = true;
  }
  thread_.reset();
}

}  // namespace lockstep::internal
