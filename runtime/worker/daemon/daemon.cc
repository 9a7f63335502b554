#include "runtime/worker/daemon/daemon.h"

#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "proto/server.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/worker/daemon/array_store.h"
#include "runtime/worker/daemon/command_executor.h"
#include "runtime/worker/daemon/shard_service.h"
#include "runtime/worker/host_address.h"
#include "runtime/worker/session/coordinator_session.h"

namespace lockstep::internal {
namespace {

Incarnation RandomIncarnation() {
  std::random_device device;
  uint64_t value = 0;
  while (value == 0) value = (uint64_t{device()} << 32) | device();
  return Incarnation(value);
}

class Daemon : public WorkerDaemon, private ControlPlaneObserver {
 public:
  explicit Daemon(Options options) : options_(std::move(options)) {
    if (options_.worker.info.incarnation == Incarnation()) {
      options_.worker.info.incarnation = RandomIncarnation();
    }
    shards_.emplace(&arrays_, options_.worker.info.incarnation,
                    Admission(options_.session.credentials),
                    options_.checkpoint_directory);
  }

  ~Daemon() override {
    End(absl::CancelledError("the worker ends"));
    std::unique_ptr<CommandExecutor> executor;
    {
      absl::MutexLock lock(&command_mutex_);
      executor = std::move(executor_);
    }
    executor.reset();
    worker_.reset();
    server_.reset();
  }

  absl::Status FindAddress();
  absl::Status Listen();
  absl::Status Join();

  Worker& worker() override { return *worker_; }
  const std::string& service_address() const override {
    return options_.worker.info.service_address;
  }
  absl::Status Run() override;
  void Stop() override {
    RequestEnd(absl::CancelledError(absl::StrCat(
        "worker ", options_.worker.info.name, " was asked to end")));
  }

 private:
  void OnNotice(const Notice& notice) override {
    LogInfo(notice.message);
    if (options_.on_notice) options_.on_notice(notice.message);
  }
  void OnCommand(const Command& command) override;
  void OnShutdown(absl::string_view reason) override {
    LogInfo(absl::StrCat("shutdown: ", reason));
    RequestEnd(absl::OkStatus());
  }
  void OnCoordinatorLost(const absl::Status& status) override {
    RequestEnd(status);
  }
  void RequestEnd(const absl::Status& status);
  // Ends all waits of clients.
  void End(const absl::Status& status);

  Options options_;
  HostAddress address_;
  ArrayStore arrays_;
  std::optional<ShardService> shards_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<Worker> worker_;

  // Held while a command runs on the thread that brought it.
  absl::Mutex command_mutex_;
  std::unique_ptr<CommandExecutor> executor_ ABSL_GUARDED_BY(command_mutex_);
  // Commands that came while Create was still returning.
  std::vector<Command> early_commands_ ABSL_GUARDED_BY(command_mutex_);

  absl::Mutex mutex_;
  std::optional<absl::Status> end_ ABSL_GUARDED_BY(mutex_);
};

absl::Status Daemon::FindAddress() {
  ASSIGN_OR_RETURN(
      address_, FindHostAddress(options_.session.address, options_.interface,
                                absl::Now() + options_.session.join_deadline));
  options_.worker.network_interface = address_.interface;
  return absl::OkStatus();
}

absl::Status Daemon::Listen() {
  ServerOptions server;
  server.address = options_.service_address.empty() ? address_.WithPort(0)
                                                    : options_.service_address;
  server.credentials = options_.session.credentials;
  if (options_.check_address) {
    RETURN_IF_ERROR(options_.check_address(server.address));
  }
  ASSIGN_OR_RETURN(server_, StartServer(server, &*shards_));
  const std::string& taken = server_->address();
  const size_t colon = taken.rfind(':');
  options_.worker.info.service_address =
      IsAnyAddress(taken.substr(0, colon))
          ? address_.WithPort(std::stoi(taken.substr(colon + 1)))
          : taken;
  return absl::OkStatus();
}

absl::Status Daemon::Join() {
  Worker::Options worker_options = options_.worker;
  worker_options.observer = this;
  ASSIGN_OR_RETURN(worker_,
                   Worker::Create(std::move(worker_options),
                                  MakeCoordinatorSession(options_.session)));
  ArrayPlacement::Devices devices;
  for (const Device& device : worker_->world().local(worker_->host_id())) {
    devices[device.id] = worker_->local_device(device.id)->shared_from_this();
  }
  shards_->SetDevices(std::move(devices));
  absl::MutexLock lock(&command_mutex_);
  executor_ = std::make_unique<CommandExecutor>(worker_.get(), &arrays_);
  for (Command& command : early_commands_) {
    executor_->Enqueue(std::move(command));
  }
  early_commands_.clear();
  return absl::OkStatus();
}

void Daemon::OnCommand(const Command& command) {
  absl::MutexLock lock(&command_mutex_);
  if (executor_ == nullptr) {
    early_commands_.push_back(command);
  } else {
    executor_->Enqueue(command);
  }
}

void Daemon::RequestEnd(const absl::Status& status) {
  absl::MutexLock lock(&mutex_);
  if (!end_.has_value()) end_ = status;
}

void Daemon::End(const absl::Status& status) {
  arrays_.Close(status);
  shards_->Close(status);
}

absl::Status Daemon::Run() {
  auto has_end = [this]() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return end_.has_value();
  };
  absl::Status end;
  {
    absl::MutexLock lock(&mutex_);
    mutex_.Await(absl::Condition(&has_end));
    end = *end_;
  }
  End(end.ok() ? absl::UnavailableError("the cluster was shut down") : end);
  if (absl::IsCancelled(end)) return worker_->Depart(end);
  absl::Status left = worker_->Shutdown();
  return end.ok() ? left : end;
}

}  // namespace

absl::StatusOr<std::unique_ptr<WorkerDaemon>> WorkerDaemon::Start(
    Options options) {
  auto daemon = std::make_unique<Daemon>(std::move(options));
  RETURN_IF_ERROR(daemon->FindAddress());
  RETURN_IF_ERROR(daemon->Listen());
  RETURN_IF_ERROR(daemon->Join());
  return daemon;
}

}  // namespace lockstep::internal
