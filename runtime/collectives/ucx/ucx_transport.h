#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_TRANSPORT_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_TRANSPORT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "runtime/collectives/transport.h"

namespace lockstep::internal {

class UcxEngine;

// Transport over UCX active messages. One thread at a time drives all
// communication: its own, which parks when nothing happens, or one that takes
// part in a collective (TryDrive). Connections that break or fall silent are
// rebuilt, and what was not confirmed is sent again, for as long as the peer is
// named: whether its process is dead is the coordinator's to say.
class UcxTransport : public Transport {
 public:
  struct Options {
    // The network interface (UCX_NET_DEVICES): "lo" reaches the processes of
    // this machine only. A variable UCX_NET_DEVICES wins.
    std::string interface = "lo";
    // UCX's transports (UCX_TLS). Shared memory between processes is left out:
    // a peer that is killed inside it can leave locks behind. A variable
    // UCX_TLS wins.
    std::string transports = "tcp,self";
    // How long the thread polls after the last activity before it parks.
    absl::Duration spin = absl::Microseconds(20);
    // Peers that have nothing else to say send a sign of life so often.
    absl::Duration heartbeat = absl::Seconds(1);
    // A connection on which nothing came for so long is replaced.
    absl::Duration stale_after = absl::Seconds(2);
    // See Transport::SetPatience.
    absl::Duration patience = absl::Seconds(6);
    // How long Stop waits for what is not sent yet.
    absl::Duration flush_limit = absl::Milliseconds(500);
  };

  // INVALID_ARGUMENT: no such interface; else what UCX says.
  static absl::StatusOr<std::unique_ptr<UcxTransport>> Create(Options options);
  ~UcxTransport() override;

  const std::string& address() const override;
  absl::Status Start(HostId self, Incarnation incarnation,
                     TransportHandler* handler) override;
  void SetSecrets(const std::vector<std::string>& secrets) override;
  absl::Status SetPeers(const std::vector<TransportPeer>& peers) override;
  void Send(HostId peer, std::string header,
            std::shared_ptr<const MessageBuffer> payload) override;
  void SetPatience(absl::Duration patience) override;
  // Clang does not see the lock through the interface: it is taken by TryDrive,
  // held by the caller's thread, and released by StopDriving.
  bool TryDrive(bool is_short) override ABSL_NO_THREAD_SAFETY_ANALYSIS;
  bool Step() override ABSL_NO_THREAD_SAFETY_ANALYSIS;
  void Poll() override ABSL_NO_THREAD_SAFETY_ANALYSIS;
  void StopDriving() override ABSL_NO_THREAD_SAFETY_ANALYSIS;
  void Interrupt() override;
  std::vector<PeerLink> Links() const override;
  void Stop() override;

 private:
  explicit UcxTransport(std::unique_ptr<UcxEngine> engine);

  const std::unique_ptr<UcxEngine> engine_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_TRANSPORT_H_
