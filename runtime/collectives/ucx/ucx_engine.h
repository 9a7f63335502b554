#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_ENGINE_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_ENGINE_H_

#include <ucp/api/ucp.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
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
#include "runtime/collectives/ucx/inbound_stream.h"
#include "runtime/collectives/ucx/ucx_transport.h"
#include "runtime/collectives/ucx/ucx_worker.h"

namespace lockstep {

// The thread that drives UCX, and all that only it touches. Other threads hand
// it tasks. UCX's callbacks run within ucp_worker_progress on that thread; they
// note what happened, and the loop acts on it afterwards, since UCX does not
// allow closing an endpoint within its own callback.
class UcxEngine {
 public:
  static absl::StatusOr<std::unique_ptr<UcxEngine>> Create(
      UcxTransport::Options options);
  ~UcxEngine();

  const std::string& address() const { return address_; }
  void Start(HostId self, Incarnation incarnation, TransportHandler* handler);
  // Ends the thread after flushing and closing.
  void Stop();

  // Runs `task` on the engine's thread, after earlier ones. False, and the task
  // is dropped, when the engine has been stopped.
  bool Post(std::function<void()> task);

  // On the engine's thread only, from here on.
  absl::Status SetPeers(const std::vector<TransportPeer>& peers);
  void Send(HostId host, std::string header,
            std::shared_ptr<const MessageBuffer> payload);

 private:
  static constexpr uint32_t kMagic = 0x4d534b4c;  // "LKSM"
  // Of a host that is not, or not yet, a peer.
  static constexpr size_t kMaxEarlyMessages = 1024;

  // Stands before the header of every message.
  struct Frame {
    uint32_t magic = 0;
    int32_t host = 0;  // of the sender
    uint64_t incarnation = 0;
    uint64_t connection = 0;  // grows with every endpoint of the sender
    uint64_t sequence = 0;    // within the connection
    uint32_t is_hello = 0;    // opens the connection; not delivered
    uint32_t has_payload = 0;
  };
  struct Peer {
    TransportPeer id;
    ucp_ep_h endpoint = nullptr;
    uint64_t connection = 0;
    uint64_t next_sequence = 0;
    ucs_status_t error = UCS_OK;  // set by UCX's error handler
    bool is_reported = false;     // the error
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
  bool RunTasks();
  bool Progress();
  void Park();
  void Shutdown();

  absl::Status Connect(Peer& peer);
  // False: the peer is not to be reached.
  bool EnsureConnected(Peer& peer);
  // Gives up the endpoint without closing it (see Shutdown).
  void Retire(Peer& peer);
  void SendFrame(Peer& peer, bool is_hello, const std::string& header,
                 std::shared_ptr<const MessageBuffer> payload);
  // Hands an operation to UCX, until its callback takes it back.
  void Release(std::unique_ptr<Operation> operation);
  static std::unique_ptr<Operation> TakeBack(void* user_data);
  void StartFetches();
  void DeliverReady();
  void ReportFailures();
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
  std::unique_ptr<UcxWorker> worker_;
  std::string address_;
  int wake_fd_ = -1;
  HostId self_;
  Incarnation incarnation_;
  TransportHandler* handler_ = nullptr;
  std::thread thread_;

  absl::Mutex mutex_;
  std::vector<std::function<void()>> tasks_ ABSL_GUARDED_BY(mutex_);
  bool is_parked_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_stopping_ ABSL_GUARDED_BY(mutex_) = false;

  // The engine's thread's own.
  MessageBufferPool buffers_;
  absl::flat_hash_map<HostId, std::unique_ptr<Peer>> peers_;
  // No peers any more, but what they sent may still be under way.
  absl::flat_hash_map<HostId, std::unique_ptr<Peer>> former_peers_;
  absl::flat_hash_map<Source, InboundStream> inbound_;
  std::vector<Fetch> fetches_;
  std::vector<Source> ready_;  // streams that may have a next message
  std::vector<ucp_ep_h> retired_;
  bool has_failures_ = false;
  uint64_t next_connection_ = 1;
  // What UCX holds. Freed by the callbacks; at the end, after the worker.
  absl::flat_hash_set<Operation*> operations_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_UCX_UCX_ENGINE_H_
