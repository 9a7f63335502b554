#include "coordinator/server.h"

#include <grpcpp/grpcpp.h>

#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "coordinator/coordinator.h"
#include "coordinator/service/coordinator_service.h"
#include "runtime/base/clock.h"
#include "runtime/base/thread_pool.h"
#include "runtime/cluster/machine.h"

namespace lockstep {
namespace {

// A worker on this machine leaves a trace when it ends; of others only silence
// tells.
bool ProcessIsGone(const WorkerInfo& worker) {
  return !worker.machine.empty() && worker.machine == MachineId() &&
         ProcessHasEnded(worker.pid);
}

CoordinatorOptions WithProcessCheck(CoordinatorOptions options) {
  if (!options.process_is_gone) options.process_is_gone = ProcessIsGone;
  return options;
}

class GrpcCoordinatorServer : public CoordinatorServer {
 public:
  explicit GrpcCoordinatorServer(const Options& options)
      : ends_when_empty_for_(options.ends_when_empty_for),
        coordinator_(WithProcessCheck(options.coordinator), Clock::Real()),
        service_(&coordinator_, [this] { OnShutdown(); }),
        ticker_([this, tick = options.tick] { Tick(tick); }) {}

  ~GrpcCoordinatorServer() override {
    stop_ticking_.Notify();
    ticker_.join();
    // Replies under way may go out; streams that are still open are ended.
    if (server_ != nullptr) {
      server_->Shutdown(
          absl::ToChronoTime(absl::Now() + absl::Milliseconds(500)));
    }
  }

  absl::Status Listen(const std::string& address) {
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&service_);
    builder.SetMaxReceiveMessageSize(-1);
    builder.SetMaxSendMessageSize(-1);
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    // Workers ask every 2 s whether the connection still stands.
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    builder.AddChannelArgument(
        GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 500);
    server_ = builder.BuildAndStart();
    if (server_ == nullptr || port == 0) {
      return absl::UnavailableError(
          absl::StrCat("cannot listen on ", address,
                       ": it is in use, or not an address of this machine"));
    }
    address_ = absl::StrCat(address.substr(0, address.rfind(':')), ":", port);
    service_.set_address(address_);
    return absl::OkStatus();
  }

  const std::string& address() const override { return address_; }
  void RequestShutdown(const std::string& reason) override {
    coordinator_.Shutdown(reason,
                          [this](absl::StatusOr<Nothing>) { OnShutdown(); });
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
    while (!stop_ticking_.WaitForNotificationWithTimeout(interval)) {
      coordinator_.Tick();
      if (coordinator_.HasHosts()) last_seen = absl::Now();
      if (absl::Now() - last_seen > ends_when_empty_for_) OnShutdown();
    }
  }

  absl::Mutex mutex_;
  bool is_shut_down_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Notification stop_ticking_;
  const absl::Duration ends_when_empty_for_;
  Coordinator coordinator_;
  CoordinatorService service_;
  std::string address_;
  std::unique_ptr<grpc::Server> server_;
  std::thread ticker_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<CoordinatorServer>> CoordinatorServer::Start(
    Options options) {
  const size_t colon = options.address.rfind(':');
  if (colon == std::string::npos) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected an address host:port, found \"", options.address, "\""));
  }
  auto server = std::make_unique<GrpcCoordinatorServer>(options);
  absl::Status status = server->Listen(options.address);
  if (!status.ok()) return status;
  return server;
}

}  // namespace lockstep
