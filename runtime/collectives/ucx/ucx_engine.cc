#include "runtime/collectives/ucx/ucx_engine.h"

#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/base/thread_pool.h"
#include "runtime/collectives/ucx/ucx_address.h"
#include "runtime/collectives/ucx/ucx_status.h"

namespace lockstep::internal {
namespace {

constexpr unsigned kMessageId = 1;
// UCX looks after its connections from within progress, and so do we.
constexpr int kMaxParkMilliseconds = 250;

// For how long a driver may leave the events to the next one: the thread, which
// would be woken by what comes in between, takes over then.
constexpr absl::Duration kLeaveFor = absl::Milliseconds(1);
// How often the thread looks whether somebody still drives.
constexpr absl::Duration kDriverCheck = absl::Milliseconds(20);
// For so long after somebody could not drive, and has to be woken by who does,
// events are not left.
constexpr absl::Duration kShareFor = absl::Milliseconds(100);

// So that whoever polls gets on with its own work.
constexpr int kMostPolls = 16;

bool Watch(int epoll, int fd) {
  epoll_event event = {};
  event.events = EPOLLIN;
  return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}
void Unwatch(int epoll, int fd) {
  epoll_event event = {};
  epoll_ctl(epoll, EPOLL_CTL_DEL, fd, &event);
}
void Sleep(int epoll) {
  epoll_event event = {};
  epoll_wait(epoll, &event, 1, kMaxParkMilliseconds);
}

}  // namespace

absl::StatusOr<std::unique_ptr<UcxEngine>> UcxEngine::Create(
    UcxTransport::Options options) {
  std::unique_ptr<UcxEngine> engine(new UcxEngine(std::move(options)));
  RETURN_IF_ERROR(engine->Init());
  return engine;
}

absl::Status UcxEngine::Init() {
  ASSIGN_OR_RETURN(worker_, UcxWorker::Create(options_.interface,
                                              options_.transports, &gate_));
  // Another set of transports may do without TCP.
  if (!gate_.is_listening() && std::getenv("UCX_TLS") == nullptr &&
      absl::StrContains(options_.transports, "tcp")) {
    return absl::InternalError(
        "UCX's port would be open to strangers: our functions are not found "
        "before libucs's");
  }
  ASSIGN_OR_RETURN(std::string address, worker_->Address());
  address_ = SealUcxAddress(address);
  wake_fd_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  timer_fd_ = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  events_fd_ = epoll_create1(EPOLL_CLOEXEC);
  sleep_fd_ = epoll_create1(EPOLL_CLOEXEC);
  if (!Watch(events_fd_, wake_fd_) || !Watch(events_fd_, worker_->event_fd()) ||
      !Watch(sleep_fd_, events_fd_) || !Watch(sleep_fd_, timer_fd_)) {
    return absl::InternalError("eventfd, timerfd or epoll failed");
  }
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
  for (int fd : {wake_fd_, timer_fd_, events_fd_, sleep_fd_}) {
    if (fd >= 0) close(fd);
  }
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
    WakeThreadIn(absl::Nanoseconds(1));
  }
  if (!thread_.joinable()) return;
  WakeDriver();
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
    if (wakes && left_until_ != absl::InfinitePast()) {
      left_until_ = absl::InfinitePast();
      WakeThreadIn(absl::Nanoseconds(1));
    }
  }
  if (wakes) WakeDriver();
  return true;
}

void UcxEngine::WakeDriver() {
  const uint64_t one = 1;
  (void)!write(wake_fd_, &one, sizeof(one));
}

void UcxEngine::Run() {
  SetThreadName("ucx");
  const UcxGate::Scope scope(&gate_);
  driving_.Lock();
  absl::Time last_activity = absl::Now();
  while (true) {
    const bool is_active = Work();
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
  driving_.Unlock();
}

bool UcxEngine::TryDrive(bool is_short) {
  if (!driving_.TryLock()) {
    if (driver_.load() != std::thread::id())
      declined_at_ = absl::GetCurrentTimeNanos();
    return false;
  }
  {
    absl::MutexLock lock(&mutex_);
    if (is_stopping_) {
      driving_.Unlock();
      return false;
    }
    left_until_ = absl::InfinitePast();
  }
  driver_scope_.emplace(&gate_);
  driver_ = std::this_thread::get_id();
  is_short_ = is_short;
  if (is_watched_) Unwatch(sleep_fd_, events_fd_);
  is_watched_ = false;
  Unpark(/*has_slept=*/false);
  return true;
}

bool UcxEngine::Step() {
  const absl::Time since = absl::Now();
  while (true) {
    if (Work()) return true;
    {
      absl::MutexLock lock(&mutex_);
      if (is_stopping_) return false;
    }
    if (is_short_) sched_yield();
    if (absl::Now() - since <= options_.spin || !TryPark()) continue;
    Sleep(events_fd_);
    Unpark(/*has_slept=*/true);
    return true;
  }
}

void UcxEngine::Poll() {
  for (int i = 0; i < kMostPolls; ++i) {
    if (!Work()) return;
  }
}

void UcxEngine::StopDriving() {
  if (!is_short_ || !TryLeaveEvents()) {
    do {
      Work();
    } while (!TryPark());
    is_watched_ = Watch(sleep_fd_, events_fd_);
  }
  driver_ = std::thread::id();
  driver_scope_.reset();
  driving_.Unlock();
}

bool UcxEngine::TryLeaveEvents() {
  // Large messages under way are not done without us.
  if (!operations_.empty() || !fetches_.empty()) return false;
  const absl::Time now = absl::Now();
  if (now - absl::FromUnixNanos(declined_at_) < kShareFor) return false;
  absl::MutexLock lock(&mutex_);
  if (is_stopping_ || !tasks_.empty()) return false;
  is_parked_ = true;
  left_until_ = now + kLeaveFor;
  // Not set again by every driver: the thread finds them still left then.
  if (thread_wakes_at_ > now + 2 * kLeaveFor) WakeThreadIn(kLeaveFor);
  return true;
}

void UcxEngine::WakeThreadIn(absl::Duration pause) {
  thread_wakes_at_ = absl::Now() + pause;
  itimerspec timer = {};
  timer.it_value = absl::ToTimespec(pause);
  timerfd_settime(timer_fd_, 0, &timer, nullptr);
}

bool UcxEngine::TryTakeOver() {
  {
    // Without the drivers' lock, for which a next driver would not wait.
    absl::MutexLock lock(&mutex_);
    if (!is_stopping_ && absl::Now() < left_until_) {
      WakeThreadIn(kLeaveFor);
      return false;
    }
  }
  if (!driving_.TryLock()) {
    if (is_short_) {
      // Who is about to unlock may have left the events, counting on a timer
      // that has just fired.
      absl::MutexLock lock(&mutex_);
      WakeThreadIn(left_until_ == absl::InfinitePast() ? kDriverCheck
                                                       : kLeaveFor);
      return false;
    }
    // Comes at once after who drives for long, and has what the next exchange
    // needs here while that is prepared.
    driving_.Lock();
  }
  {
    absl::MutexLock lock(&mutex_);
    uint64_t count = 0;
    (void)!read(timer_fd_, &count, sizeof(count));
    if (!is_stopping_ && absl::Now() < left_until_) {
      WakeThreadIn(kLeaveFor);
      driving_.Unlock();
      return false;
    }
    left_until_ = absl::InfinitePast();
    thread_wakes_at_ = absl::InfiniteFuture();
  }
  if (!is_watched_) is_watched_ = Watch(sleep_fd_, events_fd_);
  return true;
}

bool UcxEngine::Work() {
  is_working_ = true;
  const bool has_run = RunTasks();
  const bool has_progressed = Progress();
  is_working_ = false;
  return has_run || has_progressed;
}

void UcxEngine::SendInOrder(HostId host, std::string header,
                            std::shared_ptr<const MessageBuffer> payload) {
  // Not from within the handler: what the tasks change may be in use there.
  // What is long takes so long that the next piece is better made before.
  if (driver_.load() == std::this_thread::get_id() && !is_working_ &&
      is_short_) {
    RunTasks();
    return Send(host, std::move(header), std::move(payload));
  }
  Post([this, host, header = std::move(header), payload = std::move(payload)] {
    Send(host, header, payload);
  });
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
  TendLinks();
  if (gate_.has_waiting()) gate_.CloseOverdue(absl::Now());
  return events > 0;
}

bool UcxEngine::TryPark() {
  // Not UCS_OK: there is something to progress.
  if (ucp_worker_arm(worker_->handle()) != UCS_OK) return false;
  absl::MutexLock lock(&mutex_);
  if (!tasks_.empty()) return false;
  is_parked_ = true;
  return true;
}

void UcxEngine::Unpark(bool has_slept) {
  absl::MutexLock lock(&mutex_);
  const bool was_woken = !is_parked_;
  is_parked_ = false;
  uint64_t count = 0;
  // Also what came too late for the one who was woken. The thread must not miss
  // its end.
  if ((was_woken || has_slept) && !is_stopping_) {
    (void)!read(wake_fd_, &count, sizeof(count));
  }
}

void UcxEngine::Park() {
  if (!TryPark()) return;
  driving_.Unlock();
  do {
    Sleep(sleep_fd_);
  } while (!TryTakeOver());
  Unpark(/*has_slept=*/true);
}

absl::Status UcxEngine::SetPeers(const std::vector<TransportPeer>& peers) {
  if (!gate_.has_secrets()) gate_.SetSecrets({""});
  absl::flat_hash_map<HostId, std::unique_ptr<Peer>> previous;
  previous.swap(peers_);
  absl::Status first_error;
  const absl::Time now = absl::Now();
  for (const TransportPeer& id : peers) {
    if (id.host == self_) continue;
    std::unique_ptr<Peer>& old = previous[id.host];
    if (old != nullptr && old->id.incarnation == id.incarnation &&
        old->id.address == id.address) {
      peers_[id.host] = std::move(old);
    } else {
      auto peer = std::make_unique<Peer>();
      peer->id = id;
      peer->last_heard = now;
      absl::Status status = OpenUcxAddress(id.address).status();
      if (first_error.ok()) {
        first_error =
            Annotate(status, absl::StrCat("connect to host ", id.host.value()));
      }
      if (old != nullptr) Retire(*old);
      if (status.ok()) Connect(*peer, now);
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
  PublishLinks(now);
  return first_error;
}

void UcxEngine::Send(HostId host, std::string header,
                     std::shared_ptr<const MessageBuffer> payload) {
  auto it = peers_.find(host);
  if (it == peers_.end()) return;
  Peer& peer = *it->second;
  const uint64_t sequence = peer.outbound.Add({std::move(header), payload});
  // The first connection carries messages at once; one that replaces another
  // only when it has proved itself, and then all that is not confirmed.
  const bool is_first = peer.connection == peer.first_connection;
  if (peer.endpoint == nullptr || !(is_first || peer.is_up)) return;
  SendFrame(peer, /*is_sign=*/false, sequence,
            peer.outbound.messages().back().header, std::move(payload));
}

void UcxEngine::SendFrame(Peer& peer, bool is_sign, uint64_t sequence,
                          const std::string& header,
                          std::shared_ptr<const MessageBuffer> payload) {
  if (peer.endpoint == nullptr || peer.error != UCS_OK) return;
  const absl::Time now = absl::Now();
  Frame frame;
  frame.magic = kMagic;
  frame.host = self_.value();
  frame.incarnation = incarnation_.value();
  frame.connection = peer.connection;
  frame.sequence = sequence;
  auto inbound = inbound_.find({peer.id.host, peer.id.incarnation});
  if (inbound != inbound_.end()) frame.received = inbound->second.received();
  frame.heard = peer.heard;
  frame.silent_ms =
      static_cast<uint32_t>(absl::ToInt64Milliseconds(now - peer.last_heard));
  frame.is_sign = is_sign;
  frame.has_payload = payload != nullptr;
  peer.last_sent = now;
  peer.unconfirmed_bytes = 0;
  peer.unconfirmed_messages = 0;
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
    broken_.push_back(peer.endpoint);
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

void UcxEngine::Shutdown() {
  // Closing waits for what is being set up or sent. UCX asserts when an
  // endpoint is closed by force while its connection is being set up, so what
  // does not close in time stays open until the process ends.
  const absl::Time deadline = absl::Now() + options_.flush_limit;
  std::vector<ucs_status_ptr_t> closes;
  bool is_clean = retired_.empty() && closing_.empty();
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
    (void)gate_owner_.release();
    operations_.clear();
    return;
  }
  worker_.reset();
  for (Operation* operation : operations_) delete operation;
  operations_.clear();
}

}  // namespace lockstep::internal
