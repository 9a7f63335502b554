#ifndef LOCKSTEP_TESTS_PARTITION_COUNTING_TRANSPORT_H_
#define LOCKSTEP_TESTS_PARTITION_COUNTING_TRANSPORT_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/collectives/transport.h"

namespace lockstep::internal {

// Adds the payload bytes that hosts send, headers apart, to one counter.
class CountingTransport : public Transport {
 public:
  CountingTransport(std::unique_ptr<Transport> transport,
                    std::shared_ptr<std::atomic<int64_t>> bytes)
      : transport_(std::move(transport)), bytes_(std::move(bytes)) {}

  const std::string& address() const override { return transport_->address(); }
  absl::Status Start(HostId self, Incarnation incarnation,
                     TransportHandler* handler) override {
    return transport_->Start(self, incarnation, handler);
  }
  void SetSecrets(const std::vector<std::string>& secrets) override {
    transport_->SetSecrets(secrets);
  }
  absl::Status SetPeers(const std::vector<TransportPeer>& peers) override {
    return transport_->SetPeers(peers);
  }
  void Send(HostId peer, std::string header,
            std::shared_ptr<const MessageBuffer> payload) override {
    if (payload != nullptr) {
      bytes_->fetch_add(static_cast<int64_t>(payload->size()));
    }
    transport_->Send(peer, std::move(header), std::move(payload));
  }
  void Stop() override { transport_->Stop(); }

 private:
  const std::unique_ptr<Transport> transport_;
  const std::shared_ptr<std::atomic<int64_t>> bytes_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_TESTS_PARTITION_COUNTING_TRANSPORT_H_
