#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_TRANSPORT_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_TRANSPORT_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "runtime/collectives/message_buffer.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// Another process, in one of its lives.
struct TransportPeer {
  HostId host;
  Incarnation incarnation;
  std::string address;  // the bytes of its Transport::address()
};

// What a transport delivers to. Called on the transport's own thread or that
// which drives it, one call at a time, with no lock held; must be short and
// must not call Stop or SetPeers.
class TransportHandler {
 public:
  virtual ~TransportHandler() = default;

  // A message as the peer sent it. `payload` is null when it had none.
  virtual void OnMessage(HostId peer, Incarnation incarnation,
                         absl::string_view header,
                         std::shared_ptr<const MessageBuffer> payload) = 0;
  // The peer's process is gone or has not been reachable for the transport's
  // patience. Nothing more comes from this life of it until OnPeerBack, or
  // SetPeers that names it again.
  virtual void OnPeerFailed(HostId peer, Incarnation incarnation,
                            const absl::Status& status) = 0;
  // A peer that had failed is reached again. Nothing is missing of what it
  // sent.
  virtual void OnPeerBack(HostId peer, Incarnation incarnation) {}
};

// How the way to a peer is.
struct PeerLink {
  HostId host;
  Incarnation incarnation;
  // Messages go and come on the present connection.
  bool is_up = false;
  // For how long nothing has come from it; peers that have nothing to say
  // send a sign of life once a second.
  absl::Duration silent_for;
};

// Carries messages between the processes of a cluster. Messages from one peer
// arrive in the order in which it sent them, each once, also over connections
// that break and are rebuilt; and not at all while the peer has failed. Knows
// nothing of collectives. Thread-safe.
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

  // Strangers can reach this process too. From here on connections to peers
  // begin with the first of `secrets`, and peers are those whose connections
  // begin with one of them, or of earlier calls, of which some are remembered.
  // Before SetPeers; where it is never called, all have the same secret: "".
  virtual void SetSecrets(const std::vector<std::string>& secrets) = 0;

  // Replaces the peers; connections to those that stay, and have not failed,
  // stay. This host itself is skipped. INVALID_ARGUMENT: an address that is
  // none; UNAVAILABLE: one that cannot be reached.
  virtual absl::Status SetPeers(const std::vector<TransportPeer>& peers) = 0;

  // Sends and returns at once. `payload` may be null; it is held until it has
  // arrived, and must not change. A message to a host that is no peer is
  // dropped; OnPeerFailed tells of one that may not arrive.
  virtual void Send(HostId peer, std::string header,
                    std::shared_ptr<const MessageBuffer> payload) = 0;

  // For how long a peer may be out of reach before it counts as failed. Before
  // Start.
  virtual void SetPatience(absl::Duration patience) {}

  // Who waits for a message can do the transport's work meanwhile, so that no
  // other thread has to wake: from TryDrive, if that is true, until
  // StopDriving. False when somebody does it already. Between them, what this
  // thread sends goes out in the next Step at the latest.
  // `is_short`: few messages of few bytes, and the next ones likely within a
  // millisecond: a Step gives the core to others, of whom one may be who is
  // waited for, and what comes after StopDriving may wait for the next driver.
  virtual bool TryDrive(bool is_short) { return false; }
  // Does what there is to do, after waiting for something. May return for
  // nothing; false when the transport is being stopped. The handler is called
  // on this thread.
  virtual bool Step() { return false; }
  // Does what there is to do now, without waiting.
  virtual void Poll() {}
  virtual void StopDriving() {}
  // Makes a Step in progress return.
  virtual void Interrupt() {}

  // The peers as they are now, by host; empty when the transport does not look.
  virtual std::vector<PeerLink> Links() const { return {}; }

  // Closes the connections without waiting for what is not sent. No call of
  // the handler begins or runs after the return. Idempotent.
  virtual void Stop() = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_TRANSPORT_H_
