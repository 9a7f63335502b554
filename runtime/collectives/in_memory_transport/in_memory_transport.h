#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_IN_MEMORY_TRANSPORT_IN_MEMORY_TRANSPORT_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_IN_MEMORY_TRANSPORT_IN_MEMORY_TRANSPORT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "runtime/base/thread_pool.h"
#include "runtime/collectives/in_memory_transport/in_memory_network.h"
#include "runtime/collectives/transport.h"

namespace lockstep::internal {

// One host of an InMemoryNetwork. Delivers on a thread of its own.
class InMemoryTransport : public Transport {
 public:
  explicit InMemoryTransport(std::shared_ptr<InMemoryNetwork> network);
  ~InMemoryTransport() override;

  const std::string& address() const override { return address_; }
  absl::Status Start(HostId self, Incarnation incarnation,
                     TransportHandler* handler) override;
  // Only this process reaches an InMemoryNetwork.
  void SetSecrets(const std::vector<std::string>&) override {}
  absl::Status SetPeers(const std::vector<TransportPeer>& peers) override;
  void Send(HostId peer, std::string header,
            std::shared_ptr<const MessageBuffer> payload) override;
  void Stop() override;

 private:
  friend class InMemoryNetwork;
  struct Message {
    TransportPeer from;
    std::string header;
    std::shared_ptr<const MessageBuffer> payload;
  };

  using Peers = absl::flat_hash_map<HostId, TransportPeer>;
  static bool IsFrom(const Peers& peers, const Message& message);
  void Schedule(std::function<void(InMemoryTransport&)> task);
  // On the delivering thread.
  void Receive(const Message& message);
  void PeerFailed(const std::string& address);
  // Hands out what came before its sender was a peer.
  void DeliverEarly();

  const std::shared_ptr<InMemoryNetwork> network_;
  std::string address_;
  absl::Mutex mutex_;
  HostId self_ ABSL_GUARDED_BY(mutex_);
  Incarnation incarnation_ ABSL_GUARDED_BY(mutex_);
  TransportHandler* handler_ ABSL_GUARDED_BY(mutex_) = nullptr;
  bool is_stopped_ ABSL_GUARDED_BY(mutex_) = false;
  Peers peers_ ABSL_GUARDED_BY(mutex_);
  // No peers any more, but what they sent may still be under way.
  Peers former_peers_ ABSL_GUARDED_BY(mutex_);
  std::vector<Message> early_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<ThreadPool> thread_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_IN_MEMORY_TRANSPORT_IN_MEMORY_TRANSPORT_H_
