#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_ENGINE_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_ENGINE_H_

#include <ucp/api/ucp.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "runtime/collectives/message_buffer.h"
#include "runtime/collectives/transport.h"
#include "runtime/collectives/ucx/inbound_messages.h"
#include "runtime/collectives/ucx/outbound_messages.h"
#include "runtime/collectives/ucx/ucx_gate.h"
#include "runtime/collectives/ucx/ucx_transport.h"
#include "runtime/collectives/ucx/ucx_worker.h"

namespace lockstep::internal {

// Drives UCX, on a thread of its own or that of who waits for a message, and
// all that only the driver touches. Other threads hand it tasks. Three sources:
// ucx_engine (the thread, sending), ucx_links (connections), ucx_receive. UCX's
// callbacks run within ucp_worker_progress on the driver; they note what
// happened, and the loop acts on it afterwards, since UCX does not allow
// closing an endpoint within its own callback.
class UcxEngine {
 public:
  static absl::StatusOr<std::unique_ptr<UcxEngine>> Create(
      UcxTransport::Options options);
  ~UcxEngine();

  const std::string& address() const { return address_; }
  void SetPatience(absl::Duration patience) { patience_ = patience; }
  void Start(HostId self, Incarnation incarnation, TransportHandler* handler);
  // Ends the thread after flushing and closing.
  void Stop();

  // Runs `task` on the engine's thread, after earlier ones. False, and the task
  // is dropped, when the engine has been stopped.
  bool Post(std::function<void()> task);

  // Sends, after earlier messages of this thread: at once where it drives.
  void SendInOrder(HostId host, std::string header,
                   std::shared_ptr<const MessageBuffer> payload)
      ABSL_NO_THREAD_SAFETY_ANALYSIS;

  // As Transport's.
  bool TryDrive(bool is_short) ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true, driving_);
  bool Step() ABSL_EXCLUSIVE_LOCKS_REQUIRED(driving_);
  void Poll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(driving_);
  void StopDriving() ABSL_UNLOCK_FUNCTION(driving_);

  // As of the last look, at most a fraction of a second ago.
  std::vector<PeerLink> Links() const;
  UcxGate& gate() { return gate_; }

  // The driver's only, from here on.
  absl::Status SetPeers(const std::vector<TransportPeer>& peers);
  void Send(HostId host, std::string header,
            std::shared_ptr<const MessageBuffer> payload);

 private:
  static constexpr uint32_t kMagic = 0x324d534b;  // "KSM2"
  // Of a host that is not, or not yet, a peer.
  static constexpr size_t kMaxEarlyMessages = 1024;

  // Stands before the header of every message.
  struct Frame {
    uint32_t magic = 0;
    int32_t host = 0;  // of the sender
    uint64_t incarnation = 0;
    uint64_t connection = 0;  // grows with every endpoint of the sender
    uint64_t sequence = 0;    // of the message, over all connections
    // What the sender knows of the receiver: its messages that have been
    // delivered, its connection that was heard last, and how long ago.
    uint64_t received = 0;
    uint64_t heard = 0;
    uint32_t silent_ms = 0;
    uint32_t is_sign = 0;  // a sign of life: no message
    uint32_t has_payload = 0;
    uint32_t reserved = 0;
  };
  struct Peer {
    TransportPeer id;
    ucp_ep_h endpoint = nullptr;
    uint64_t connection = 0;  // 0: there was none so far
    uint64_t first_connection = 0;
    absl::Time connected_at;
    absl::Time next_attempt;      // when it is not connected
    absl::Duration pause;         // before the attempt after that
    ucs_status_t error = UCS_OK;  // of the present endpoint
    OutboundMessages outbound;
    absl::Time last_sent;
    // What it said last.
    absl::Time last_heard;
    uint64_t heard = 0;       // its connection
    absl::Duration deaf_for;  // it has not heard us
    bool is_up = false;       // it has heard the present connection
    bool is_failed = false;   // the handler was told
    // Delivered since it was told how many of its messages have come.
    size_t unconfirmed_bytes = 0;
    int unconfirmed_messages = 0;
  };
  // A send or receive in progress: what UCX reads and writes meanwhile.
  struct Operation {
    UcxEngine* engine = nullptr;
    std::string head;  // frame and header
    std::shared_ptr<const MessageBuffer> outgoing;
    // Receives: where the message belongs.
    std::pair<HostId, Incarnation> source;
    uint64_t connection = 0;
    uint64_t sequence = 0;
    std::shared_ptr<MessageBuffer> incoming;
  };
  // A large message whose bytes are to be fetched.
  struct Fetch {
    void* descriptor = nullptr;
    std::unique_ptr<Operation> operation;
  };
  using Source = std::pair<HostId, Incarnation>;

  explicit UcxEngine(UcxTransport::Options options)
      : options_(std::move(options)) {}
  absl::Status Init();

  void Run();
  // Both. Whether there was something to do.
  bool Work();
  bool RunTasks();
  bool Progress();
  // Whether nobody has anything to do, after which Post wakes who watches the
  // events.
  bool TryPark();
  void Unpark(bool has_slept);
  void Park() ABSL_EXCLUSIVE_LOCKS_REQUIRED(driving_);
  void WakeDriver();
  // False: something has to be done before a next driver may come.
  bool TryLeaveEvents() ABSL_EXCLUSIVE_LOCKS_REQUIRED(driving_);
  // If not before.
  void WakeThreadIn(absl::Duration pause) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // For the thread, which has slept. False: somebody drives, or is about to do
  // so again.
  bool TryTakeOver() ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true, driving_);
  void Shutdown();

  // A new endpoint; a sign of life opens the connection.
  void Connect(Peer& peer, absl::Time now);
  absl::Status CreateEndpoint(Peer& peer);
  void SendUnconfirmed(Peer& peer);
  // Gives up the endpoint.
  void Retire(Peer& peer);
  void Close(ucp_ep_h endpoint);
  void CloseRetired(absl::Time now);
  // Looks after all connections: broken and silent ones are replaced, quiet
  // ones get a sign of life, lasting failures are told. Cheap when it is not
  // time yet.
  void TendLinks();
  void TendLink(Peer& peer, absl::Time now);
  void TellFailure(Peer& peer, absl::Time now);
  bool IsStale(const Peer& peer, absl::Time now) const;
  void PublishLinks(absl::Time now);
  void Heard(Peer& peer, const Frame& frame);
  void Confirm(Peer& peer);
  void SendSign(Peer& peer) { SendFrame(peer, true, 0, "", nullptr); }
  void SendFrame(Peer& peer, bool is_sign, uint64_t sequence,
                 const std::string& header,
                 std::shared_ptr<const MessageBuffer> payload);
  // Hands an operation to UCX, until its callback takes it back.
  void Release(std::unique_ptr<Operation> operation);
  static std::unique_ptr<Operation> TakeBack(void* user_data);
  void StartFetches();
  void DeliverReady();
  // Among the peers and the former ones.
  Peer* FindPeer(const Source& source);

  static ucs_status_t OnActiveMessage(void* arg, const void* header,
                                      size_t header_length, void* data,
                                      size_t length,
                                      const ucp_am_recv_param_t* param);
  ucs_status_t Receive(absl::string_view head, void* data, size_t length,
                       bool is_rendezvous);
  static void OnSent(void* request, ucs_status_t status, void* user_data);
  static void OnReceived(void* request, ucs_status_t status, size_t length,
                         void* user_data);
  static void OnError(void* arg, ucp_ep_h endpoint, ucs_status_t status);

  const UcxTransport::Options options_;
  absl::Duration patience_ = options_.patience;
  // Never destroyed when the worker is not (see Shutdown).
  std::unique_ptr<UcxGate> gate_owner_ = std::make_unique<UcxGate>();
  UcxGate& gate_ = *gate_owner_;
  std::unique_ptr<UcxWorker> worker_;
  std::string address_;
  int wake_fd_ = -1;
  int timer_fd_ = -1;
  // UCX's events and wake_fd_; and timer_fd_ and, while the engine's thread
  // watches them, those: what it sleeps on.
  int events_fd_ = -1;
  int sleep_fd_ = -1;
  HostId self_;
  Incarnation incarnation_;
  TransportHandler* handler_ = nullptr;
  std::thread thread_;

  // Of the driver.
  absl::Mutex driving_;
  std::optional<UcxGate::Scope> driver_scope_;
  bool is_watched_ ABSL_GUARDED_BY(driving_) = true;  // by the thread
  // Who drives, if not the thread; when another one last could not, and has to
  // be woken by it (nanoseconds).
  std::atomic<std::thread::id> driver_;
  std::atomic<bool> is_short_ = false;  // as it drives: Transport::TryDrive
  std::atomic<int64_t> declined_at_ = 0;

  mutable absl::Mutex mutex_;
  std::vector<std::function<void()>> tasks_ ABSL_GUARDED_BY(mutex_);
  bool is_parked_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_stopping_ ABSL_GUARDED_BY(mutex_) = false;
  // The events are the next driver's until then; in the past: not left.
  absl::Time left_until_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
  absl::Time thread_wakes_at_ ABSL_GUARDED_BY(mutex_) = absl::InfiniteFuture();
  std::vector<PeerLink> links_ ABSL_GUARDED_BY(mutex_);

  // The driver's own.
  bool is_working_ = false;
  MessageBufferPool buffers_;
  absl::flat_hash_map<HostId, std::unique_ptr<Peer>> peers_;
  // No peers any more, but what they sent may still be under way.
  absl::flat_hash_map<HostId, std::unique_ptr<Peer>> former_peers_;
  absl::flat_hash_map<Source, InboundMessages> inbound_;
  std::vector<Fetch> fetches_;
  std::vector<Source> ready_;       // sources that may have a next message
  std::vector<Source> unanswered_;  // peers that have made a connection
  std::vector<Source> newly_up_;    // peers whose connection has proved itself
  // Given up, and when. Closed when they are broken or old, but not before: UCX
  // does not allow it while it sets up a connection, and a peer that has left
  // may still be sending on it.
  absl::flat_hash_map<ucp_ep_h, absl::Time> retired_;
  std::vector<ucp_ep_h> broken_;  // of retired_, that may be closed now
  std::vector<ucs_status_ptr_t> closing_;
  bool has_failures_ = false;
  absl::Time last_tended_ = absl::InfinitePast();
  uint64_t next_connection_ = 1;
  // What UCX holds. Freed by the callbacks; at the end, after the worker.
  absl::flat_hash_set<Operation*> operations_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_ENGINE_H_
