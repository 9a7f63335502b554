#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_TRANSPORT_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_TRANSPORT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "runtime/collectives/message_buffer.h"
#include "runtime/mesh/ids.h"

namespace lockstep {

// Another process, in one of its lives.
struct TransportPeer {
  HostId host;
  Incarnation incarnation;
  std::string address;  // the bytes of its Transport::address()
};

// What a transport delivers to. Called on the transport's own thread, one call
// at a time, with no lock held; must be short and must not call Stop or
// SetPeers.
class TransportHandler {
 public:
  virtual ~TransportHandler() = default;

  // A message as the peer sent it. `payload` is null when it had none.
  virtual void OnMessage(HostId peer, Incarnation incarnation,
                         absl::string_view header,
                         std::shared_ptr<const MessageBuffer> payload) = 0;
  // The peer's process is gone or not reachable. Nothing more comes from this
  // life of it until SetPeers names it again.
  virtual void OnPeerFailed(HostId peer, Incarnation incarnation,
                            const absl::Status& status) = 0;
};

// Carries messages between the processes of a cluster. Messages from one peer
// arrive in the order in which it sent them, each at most once, and not at all
// once the peer has failed. Knows nothing of collectives. Thread-safe.
//
// The life: create it, publish address(), Start, SetPeers with what the others
// published, Send. A process sees messages of the hosts that it has named as
// peers; what comes earlier from others is kept until SetPeers names them. A
// peer that is not named any more can have messages under way, which still
// arrive, until another life of that host is named.
class Transport {
 public:
  virtual ~Transport() = default;

  // How others reach this process; opaque bytes.
  virtual const std::string& address() const = 0;

  // Once, before SetPeers. `handler` outlives Stop.
  virtual absl::Status Start(HostId self, Incarnation incarnation,
                             TransportHandler* handler) = 0;

  // Replaces the peers; connections to those that stay, and have not failed,
  // stay. This host itself is skipped. INVALID_ARGUMENT: an address that is
  // none; UNAVAILABLE: one that cannot be reached.
  virtual absl::Status SetPeers(const std::vector<TransportPeer>& peers) = 0;

  // Sends and returns at once. `payload` may be null; it is held until it is
  // sent, and must not change. A message to a host that is no peer, or has
  // failed, is dropped: OnPeerFailed is what tells.
  virtual void Send(HostId peer, absl::string_view header,
                    std::shared_ptr<const MessageBuffer> payload) = 0;

  // Closes the connections without waiting for what is not sent. No call of
  // the handler begins or runs after the return. Idempotent.
  virtual void Stop() = 0;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_TRANSPORT_H_
