#include "coordinator/server.h"

#include <functional>
#include <random>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "coordinator/coordinator.h"
#include "coordinator/service/coordinator_service.h"
#include "proto/server.h"
#include "runtime/base/clock.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/base/thread_pool.h"
#include "runtime/cluster/machine.h"

namespace lockstep::internal {
namespace {

// A worker on this machine leaves a trace when it ends; of others only silence
// tells.
bool ProcessIsGone(const WorkerInfo& worker) {
  return !worker.machine.empty() && worker.machine == MachineId() &&
         ProcessHasEnded(worker.pid);
}

std::string MakeSecret() {
  std::random_device random;  // the system's, not a generator
  std::string secret;
  for (int i = 0; i < 8; ++i) {
    absl::StrAppend(&secret, absl::Hex(random(), absl::kZeroPad8));
  }
  return secret;
}

// What the state machine asks of the world around it.
CoordinatorOptions Complete(CoordinatorOptions options) {
  if (!options.process_is_gone) options.process_is_gone = ProcessIsGone;
  if (!options.make_secret) options.make_secret = MakeSecret;
  return options;
}

class GrpcCoordinatorServer : public CoordinatorServer {
 public:
  explicit GrpcCoordinatorServer(const Options& options)
      : ends_when_empty_for_(options.ends_when_empty_for),
        awaits_first_host_(options.awaits_first_host),
        first_host_deadline_(absl::Now() + options.coordinator.join_deadline),
        coordinator_(Complete(options.coordinator), Clock::Real()),
        service_(&coordinator_, Admission(options.credentials),
                 [this] { OnShutdown(); }),
        ticker_([this, tick = options.tick] { Tick(tick); }) {}

  ~GrpcCoordinatorServer() override {
    stop_ticking_.Notify();
    ticker_.join();
    // The server waits for the calls.
    coordinator_.Close();
    // Replies under way may go out; streams that are still open are ended.
    if (server_ != nullptr) {
      server_->Shutdown(absl::Now() + absl::Milliseconds(500));
    }
  }

  absl::Status Listen(const Options& options) {
    ServerOptions server;
    server.address = options.address;
    server.credentials = options.credentials;
    ASSIGN_OR_RETURN(server_, StartServer(server, service_.service(),
                                          [this](CallQueues* queues) {
                                            service_.Serve(queues);
                                          }));
    service_.set_address(server_->address());
    return absl::OkStatus();
  }

  const std::string& address() const override { return server_->address(); }
  void RequestShutdown(const std::string& reason) override {
    coordinator_.Shutdown(reason,
                          [this](absl::StatusOr<Nothing>) { OnShutdown(); });
  }
  void RequestEndAfterHosts(const std::string& reason) override {
    if (!coordinator_.HasHosts()) return RequestShutdown(reason);
    LogWarning(absl::StrCat(reason, "; it ends after its last host"));
  }
  void AwaitShutdown() override {
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&is_shut_down_));
  }

 private:
  void OnShutdown() {
    absl::MutexLock lock(&mutex_);
    is_shut_down_ = true;
  }
  void Tick(absl::Duration interval) {
    SetThreadName("coordinator");
    absl::Time last_seen = absl::Now();
    bool had_host = false;
    while (!stop_ticking_.WaitForNotificationWithTimeout(interval)) {
      coordinator_.Tick();
      const absl::Time now = absl::Now();
      const bool has_host = coordinator_.HasHosts();
      had_host = had_host || has_host;
      if (has_host || (!had_host && AwaitsFirstHost(now))) last_seen = now;
      if (now - last_seen > ends_when_empty_for_) OnShutdown();
    }
  }
  bool AwaitsFirstHost(absl::Time now) const {
    return awaits_first_host_ != nullptr && now < first_host_deadline_ &&
           awaits_first_host_();
  }

  absl::Mutex mutex_;
  bool is_shut_down_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Notification stop_ticking_;
  const absl::Duration ends_when_empty_for_;
  const std::function<bool()> awaits_first_host_;
  const absl::Time first_host_deadline_;
  Coordinator coordinator_;
  CoordinatorService service_;
  std::unique_ptr<Server> server_;
  std::thread ticker_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<CoordinatorServer>> CoordinatorServer::Start(
    Options options) {
  auto server = std::make_unique<GrpcCoordinatorServer>(options);
  RETURN_IF_ERROR(server->Listen(options));
  return server;
}

}  // namespace lockstep::internal
