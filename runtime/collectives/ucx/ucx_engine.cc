#include "runtime/collectives/ucx/ucx_engine.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/base/thread_pool.h"
#include "runtime/collectives/ucx/ucx_address.h"
#include "runtime/collectives/ucx/ucx_status.h"

namespace lockstep {
namespace {

constexpr unsigned kMessageId = 1;
// UCX looks after its connections from within progress.
constexpr int kMaxParkMilliseconds = 1000;

}  // namespace

absl::StatusOr<std::unique_ptr<UcxEngine>> UcxEngine::Create(
    UcxTransport::Options options) {
  std::unique_ptr<UcxEngine> engine(new UcxEngine(std::move(options)));
  RETURN_IF_ERROR(engine->Init());
  return engine;
}

absl::Status UcxEngine::Init() {
  ASSIGN_OR_RETURN(worker_,
                   UcxWorker::Create(options_.interface, options_.transports));
  ASSIGN_OR_RETURN(std::string address, worker_->Address());
  address_ = SealUcxAddress(address);
  wake_fd_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (wake_fd_ < 0) return absl::InternalError("eventfd failed");
  ucp_am_handler_param_t param = {};
  param.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID |
                     UCP_AM_HANDLER_PARAM_FIELD_CB |
                     UCP_AM_HANDLER_PARAM_FIELD_ARG;
  param.id = kMessageId;
  param.cb = OnActiveMessage;
  param.arg = this;
  return FromUcx(ucp_worker_set_am_recv_handler(worker_->handle(), &param),
                 "set the message handler");
}

UcxEngine::~UcxEngine() {
  Stop();
  if (wake_fd_ >= 0) close(wake_fd_);
}

void UcxEngine::Start(HostId self, Incarnation incarnation,
                      TransportHandler* handler) {
  self_ = self;
  incarnation_ = incarnation;
  handler_ = handler;
  thread_ = std::thread([this] { Run(); });
}

void UcxEngine::Stop() {
  {
    absl::MutexLock lock(&mutex_);
    is_stopping_ = true;
  }
  if (!thread_.joinable()) return;
  uint64_t one = 1;
  (void)!write(wake_fd_, &one, sizeof(one));
  thread_.join();
}

bool UcxEngine::Post(std::function<void()> task) {
  bool wakes = false;
  {
    absl::MutexLock lock(&mutex_);
    if (is_stopping_) return false;
    tasks_.push_back(std::move(task));
    wakes = is_parked_;
    is_parked_ = false;
  }
  if (!wakes) return true;
  uint64_t one = 1;
  (void)!write(wake_fd_, &one, sizeof(one));
  return true;
}

void UcxEngine::Run() {
  SetThreadName("ucx");
  absl::Time last_activity = absl::Now();
  while (true) {
    bool is_active = RunTasks();
    is_active |= Progress();
    {
      absl::MutexLock lock(&mutex_);
      if (is_stopping_ && tasks_.empty()) break;
    }
    if (is_active) {
      last_activity = absl::Now();
    } else if (absl::Now() - last_activity > options_.spin) {
      Park();
    }
  }
  Shutdown();
}

bool UcxEngine::RunTasks() {
  std::vector<std::function<void()>> tasks;
  {
    absl::MutexLock lock(&mutex_);
    if (tasks_.empty()) return false;
    tasks.swap(tasks_);
  }
  for (const auto& task : tasks) task();
  return true;
}

bool UcxEngine::Progress() {
  unsigned events = ucp_worker_progress(worker_->handle());
  StartFetches();
  DeliverReady();
  ReportFailures();
  return events > 0;
}

void UcxEngine::Park() {
  // Not UCS_OK: there is something to progress.
  if (ucp_worker_arm(worker_->handle()) != UCS_OK) return;
  {
    absl::MutexLock lock(&mutex_);
    if (!tasks_.empty() || is_stopping_) return;
    is_parked_ = true;
  }
  pollfd descriptors[2] = {{worker_->event_fd(), POLLIN, 0},
                           {wake_fd_, POLLIN, 0}};
  poll(descriptors, 2, kMaxParkMilliseconds);
  uint64_t count = 0;
  (void)!read(wake_fd_, &count, sizeof(count));
  absl::MutexLock lock(&mutex_);
  is_parked_ = false;
}

absl::Status UcxEngine::SetPeers(const std::vector<TransportPeer>& peers) {
  absl::flat_hash_map<HostId, std::unique_ptr<Peer>> previous;
  previous.swap(peers_);
  absl::Status first_error;
  for (const TransportPeer& id : peers) {
    if (id.host == self_) continue;
    std::unique_ptr<Peer>& old = previous[id.host];
    if (old != nullptr && old->error == UCS_OK &&
        old->id.incarnation == id.incarnation &&
        old->id.address == id.address) {
      peers_[id.host] = std::move(old);
    } else {
      auto peer = std::make_unique<Peer>();
      peer->id = id;
      absl::Status status = OpenUcxAddress(id.address).status();
      if (first_error.ok()) {
        first_error =
            Annotate(status, absl::StrCat("connect to host ", id.host.value()));
      }
      if (old != nullptr) Retire(*old);
      // From here on the peer's death is noticed.
      if (status.ok()) EnsureConnected(*peer);
      peers_[id.host] = std::move(peer);
    }
    former_peers_.erase(id.host);
    ready_.push_back({id.host, id.incarnation});
  }
  for (auto& [host, peer] : previous) {
    if (peer == nullptr) continue;
    Retire(*peer);
    if (!peers_.contains(host)) former_peers_[host] = std::move(peer);
  }
  absl::erase_if(inbound_, [this](const auto& entry) {
    auto it = peers_.find(entry.first.first);
    return it != peers_.end() &&
           it->second->id.incarnation != entry.first.second;
  });
  return first_error;
}

absl::Status UcxEngine::Connect(Peer& peer) {
  std::string what = absl::StrCat("connect to host ", peer.id.host.value());
  absl::StatusOr<absl::string_view> address = OpenUcxAddress(peer.id.address);
  if (!address.ok()) return Annotate(address.status(), what);
  ucp_ep_params_t params = {};
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS |
                      UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                      UCP_EP_PARAM_FIELD_ERR_HANDLER;
  params.address = reinterpret_cast<const ucp_address_t*>(address->data());
  params.err_mode = UCP_ERR_HANDLING_MODE_PEER;
  params.err_handler.cb = OnError;
  params.err_handler.arg = this;
  RETURN_IF_ERROR(
      FromUcx(ucp_ep_create(worker_->handle(), &params, &peer.endpoint), what));
  peer.connection = next_connection_++;
  peer.next_sequence = 0;
  // Opens the connection, so that the peer's death is noticed from here on.
  SendFrame(peer, /*is_hello=*/true, "", nullptr);
  return absl::OkStatus();
}

bool UcxEngine::EnsureConnected(Peer& peer) {
  if (peer.error != UCS_OK) return false;
  if (peer.endpoint != nullptr) return true;
  absl::Status status = Connect(peer);
  if (status.ok()) return true;
  LogWarning(std::string(status.message()));
  peer.error = UCS_ERR_UNREACHABLE;
  has_failures_ = true;
  return false;
}

void UcxEngine::Retire(Peer& peer) {
  if (peer.endpoint == nullptr) return;
  retired_.push_back(peer.endpoint);
  peer.endpoint = nullptr;
}

void UcxEngine::Send(HostId host, std::string header,
                     std::shared_ptr<const MessageBuffer> payload) {
  auto it = peers_.find(host);
  if (it == peers_.end() || !EnsureConnected(*it->second)) return;
  SendFrame(*it->second, /*is_hello=*/false, header, std::move(payload));
}

void UcxEngine::SendFrame(Peer& peer, bool is_hello, const std::string& header,
                          std::shared_ptr<const MessageBuffer> payload) {
  Frame frame;
  frame.magic = kMagic;
  frame.host = self_.value();
  frame.incarnation = incarnation_.value();
  frame.connection = peer.connection;
  frame.sequence = peer.next_sequence++;
  frame.is_hello = is_hello;
  frame.has_payload = payload != nullptr;
  auto operation = std::make_unique<Operation>();
  operation->engine = this;
  operation->head.reserve(sizeof(frame) + header.size());
  operation->head.append(reinterpret_cast<const char*>(&frame), sizeof(frame));
  operation->head.append(header);
  operation->outgoing = std::move(payload);

  ucp_request_param_t param = {};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  param.cb.send = OnSent;
  param.user_data = operation.get();
  const MessageBuffer* bytes = operation->outgoing.get();
  ucs_status_ptr_t request = ucp_am_send_nbx(
      peer.endpoint, kMessageId, operation->head.data(), operation->head.size(),
      bytes == nullptr ? nullptr : bytes->data(),
      bytes == nullptr ? 0 : bytes->size(), &param);
  if (UCS_PTR_IS_PTR(request)) {
    Release(std::move(operation));
  } else if (UCS_PTR_IS_ERR(request)) {
    peer.error = UCS_PTR_STATUS(request);
    has_failures_ = true;
  }
}

void UcxEngine::OnSent(void* request, ucs_status_t, void* user_data) {
  // An error comes to OnError too.
  TakeBack(user_data);
  ucp_request_free(request);
}

void UcxEngine::Release(std::unique_ptr<Operation> operation) {
  operations_.insert(operation.release());
}

std::unique_ptr<UcxEngine::Operation> UcxEngine::TakeBack(void* user_data) {
  std::unique_ptr<Operation> operation(static_cast<Operation*>(user_data));
  operation->engine->operations_.erase(operation.get());
  return operation;
}

UcxEngine::Peer* UcxEngine::FindPeer(const Source& source) {
  for (const auto* peers : {&peers_, &former_peers_}) {
    auto it = peers->find(source.first);
    if (it != peers->end() && it->second->id.incarnation == source.second) {
      return it->second.get();
    }
  }
  return nullptr;
}

void UcxEngine::OnError(void* arg, ucp_ep_h endpoint, ucs_status_t status) {
  UcxEngine* engine = static_cast<UcxEngine*>(arg);
  for (auto& [host, peer] : engine->peers_) {
    if (peer->endpoint != endpoint) continue;
    peer->error = status;
    engine->has_failures_ = true;
  }
}

void UcxEngine::ReportFailures() {
  if (!has_failures_) return;
  has_failures_ = false;
  std::vector<std::pair<TransportPeer, ucs_status_t>> failed;
  for (auto& [host, peer] : peers_) {
    if (peer->error == UCS_OK || peer->is_reported) continue;
    peer->is_reported = true;
    Retire(*peer);
    failed.emplace_back(peer->id, peer->error);
  }
  for (const auto& [id, error] : failed) {
    handler_->OnPeerFailed(id.host, id.incarnation,
                           FromUcx(error, "connection lost"));
  }
}

void UcxEngine::Shutdown() {
  // Closing waits for what is being set up or sent. UCX asserts when an
  // endpoint is closed by force while its connection is being set up, so what
  // does not close in time stays open until the process ends.
  const absl::Time deadline = absl::Now() + options_.flush_limit;
  std::vector<ucs_status_ptr_t> closes;
  bool is_clean = retired_.empty();
  for (auto& [host, peer] : peers_) {
    if (peer->endpoint == nullptr) continue;
    ucp_request_param_t param = {};
    ucs_status_ptr_t request = ucp_ep_close_nbx(peer->endpoint, &param);
    peer->endpoint = nullptr;
    if (UCS_PTR_IS_PTR(request)) closes.push_back(request);
    if (UCS_PTR_IS_ERR(request)) is_clean = false;
  }
  auto is_closed = [](ucs_status_ptr_t request) {
    return ucp_request_check_status(request) != UCS_INPROGRESS;
  };
  while (!std::all_of(closes.begin(), closes.end(), is_closed) &&
         absl::Now() < deadline) {
    ucp_worker_progress(worker_->handle());
  }
  for (ucs_status_ptr_t request : closes) {
    if (ucp_request_check_status(request) != UCS_OK) is_clean = false;
    ucp_request_free(request);
  }
  while (ucp_worker_progress(worker_->handle()) > 0 && absl::Now() < deadline) {
  }
  if (!is_clean) {
    // UCX may still touch what it was given.
    (void)worker_.release();
    operations_.clear();
    return;
  }
  worker_.reset();
  for (Operation* operation : operations_) delete operation;
  operations_.clear();
}

}  // namespace lockstep
