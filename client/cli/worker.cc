// lockstep worker: the process that serves one host.
#include <unistd.h>

#include <iostream>
#include <memory>
#include <numeric>

#include "absl/base/thread_annotations.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/synchronization/mutex.h"
#include "client/cli/cache_directory_option.h"
#include "client/cli/command_line.h"
#include "client/cli/coordinator_address.h"
#include "client/cli/cpu_target_option.h"
#include "client/cli/duration_option.h"
#include "client/cli/exit_status.h"
#include "client/cli/interruption.h"
#include "client/cli/progress_line.h"
#include "client/cli/security_options.h"
#include "client/cli/subcommand.h"
#include "client/host/coordinator_start.h"
#include "client/host/launcher/detect_cluster.h"
#include "client/host/launcher/environment.h"
#include "client/host/local_share.h"
#include "client/host/resolved_options.h"
#include "client/process/open_files.h"
#include "client/process/ready_pipe.h"
#include "runtime/backends/cpu/processor/cpu_target.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/collectives/reduction_mode.h"
#include "runtime/worker/daemon/daemon.h"

namespace lockstep::internal {
namespace {

struct WorkerCommandOptions {
  WorkerDaemon::Options daemon;
  SecurityOptions security;
  int rank = -1;           // -1: not given
  int expected_hosts = 0;  // 0: not given
  std::string reduction_mode = "fast";
  std::string devices;  // "4": how many; "0,2": which
  bool has_named_devices = false;
};

// --devices, where --local-devices does not say which.
absl::Status TakeDevices(const std::string& text, Worker::Options& worker) {
  if (text.empty() || !worker.local_devices.empty()) return absl::OkStatus();
  const auto wrong = [&] {
    return WithExitCode(
        kExitUsage,
        absl::InvalidArgumentError(absl::StrCat(
            "--devices: expected a number from 1 to 1024, or which devices, "
            "such as 0,2; found \"",
            text, "\"")));
  };
  std::vector<int> numbers;
  for (const absl::string_view part : absl::StrSplit(text, ',')) {
    if (!absl::SimpleAtoi(part, &numbers.emplace_back())) return wrong();
    if (numbers.back() < 0 || numbers.back() > 1024) return wrong();
  }
  if (numbers.size() > 1) {
    worker.local_devices = std::move(numbers);
    worker.local_device_count = static_cast<int>(worker.local_devices.size());
    return absl::OkStatus();
  }
  const int count = numbers[0];
  if (count == 0) return wrong();
  worker.local_device_count = count;
  worker.local_devices.resize(static_cast<size_t>(count));
  std::iota(worker.local_devices.begin(), worker.local_devices.end(), 0);
  return absl::OkStatus();
}

// A daemon that ^C stops, also while it is being started.
class StoppableDaemon {
 public:
  void Stop() {
    absl::MutexLock lock(&mutex_);
    // It has not joined, so nobody misses it; and the join takes no request to
    // end.
    if (daemon_ == nullptr && !has_ended_) _exit(1);
    if (daemon_ != nullptr) daemon_->Stop();
  }
  void Set(WorkerDaemon* daemon) {
    absl::MutexLock lock(&mutex_);
    daemon_ = daemon;
    has_ended_ = daemon == nullptr;
  }

 private:
  absl::Mutex mutex_;
  bool has_ended_ ABSL_GUARDED_BY(mutex_) = false;
  WorkerDaemon* daemon_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

// The shell of an allocation: a launcher has something to start, but did not
// start this. A worker is no cluster of its own, so that it needs no warning.
bool IsNotStarted() {
  const auto cluster = DetectCluster(
      ProcessVariable, ProcessVariable("LOCKSTEP_CLUSTER").value_or("auto"));
  return cluster.ok() && !cluster->is_started;
}

// What a launcher says, where options and variables do not. In `launched` the
// rest of what it takes to start its coordinator.
absl::Status TakeLauncher(const LocalFacts& facts,
                          WorkerCommandOptions& options,
                          ResolvedOptions& launched) {
  WorkerInfo& info = options.daemon.worker.info;
  InitializeOptions given;
  given.coordinator_address = NamedCoordinator(options.daemon.session.address);
  if (options.expected_hosts > 0) given.expected_hosts = options.expected_hosts;
  if (options.rank >= 0) given.requested_rank = options.rank;
  given.host_name = info.name;
  given.interface = options.daemon.interface;
  given.join_deadline = options.daemon.session.join_deadline;
  given.security_directory = options.security.directory;
  given.join_token = options.security.join_token;
  given.allow_insecure = options.security.is_insecure;
  if (given.coordinator_address.empty() && IsNotStarted()) {
    given.cluster_detection = "none";
  }
  ASSIGN_OR_RETURN(launched, ResolveOptions(given, ProcessVariable, facts));
  if (launched.coordinator_address.empty() && !launched.meets_by_pmix) {
    // One process: the hosts of `lockstep up` are others than the launcher's.
    given.cluster_detection = "none";
    ASSIGN_OR_RETURN(launched, ResolveOptions(given, ProcessVariable, facts));
  }
  if (launched.launcher == "none" && info.name.empty()) {
    launched.host_name = facts.machine_name;
  }
  launched.has_named_devices = options.has_named_devices;
  info.name = launched.host_name;
  info.requested_rank = launched.requested_rank;
  info.expected_hosts = launched.expected_hosts;
  // Also that of a coordinator which this worker starts.
  if (!info.cluster_id.empty()) launched.cluster_id = info.cluster_id;
  info.cluster_id = launched.cluster_id;
  return absl::OkStatus();
}

absl::StatusOr<WorkerDaemon::Options> Complete(const LocalFacts& facts,
                                               WorkerCommandOptions options,
                                               ResolvedOptions& launched) {
  RETURN_IF_ERROR(TakeLauncher(facts, options, launched));
  for (const std::string& line : launched.ignored) LogInfo(line);
  std::string& address = options.daemon.session.address;
  RETURN_IF_ERROR(FindMeetingPlace(facts, launched));
  address = launched.coordinator_address;
  ASSIGN_OR_RETURN(address, CoordinatorAddress(address));
  ASSIGN_OR_RETURN(options.daemon.worker.reduction_mode,
                   ParseReductionMode(options.reduction_mode));
  RETURN_IF_ERROR(TakeLocalShare(launched, options.daemon.worker));
  return options.daemon;
}

absl::StatusOr<std::unique_ptr<WorkerDaemon>> StartWorker(
    WorkerDaemon::Options options, const SecurityOptions& security,
    const ResolvedOptions& launched) {
  ASSIGN_OR_RETURN(const Credentials credentials,
                   FindCredentials(security, options.session.address));
  // Nobody else does at an address that nobody gave.
  if (launched.is_address_of_launcher) {
    RETURN_IF_ERROR(EnsureCoordinator(launched));
  }
  options.session.credentials = credentials;
  options.check_address = [security, credentials](const std::string& address) {
    return CheckNotOpenToAll(security, credentials, address);
  };
  SetLogName(options.worker.info.name);
  // The daemon may keep what it is given.
  const auto progress = std::make_shared<ProgressLine>(STDERR_FILENO);
  progress->Show(
      absl::StrCat("joining the cluster at ", options.session.address, " ..."));
  options.on_notice = [progress](absl::string_view line) {
    progress->Show(line);
  };
  auto daemon = WorkerDaemon::Start(std::move(options));
  progress->Clear();
  return daemon;
}

absl::Status RunWorker(const WorkerCommandOptions& command) {
  ReadySignal ready = ReadySignal::FromEnvironment();
  RaiseOpenFileLimit();
  auto stoppable = std::make_shared<StoppableDaemon>();
  // Before there are other threads, which would hear the signals.
  Interruption interruption([stoppable] { stoppable->Stop(); });
  // For as long as the worker runs: others read what it publishes.
  const LocalFacts facts = FactsOfThisProcess();
  std::string name;
  std::string coordinator;
  ResolvedOptions launched;
  absl::StatusOr<std::unique_ptr<WorkerDaemon>> daemon =
      [&]() -> absl::StatusOr<std::unique_ptr<WorkerDaemon>> {
    ASSIGN_OR_RETURN(WorkerDaemon::Options options,
                     Complete(facts, command, launched));
    name = options.worker.info.name;
    coordinator = options.session.address;
    return StartWorker(std::move(options), command.security, launched);
  }();
  if (!daemon.ok()) {
    const absl::Status status = OfLauncher(launched, daemon.status());
    ready.Failed(status);
    return status;
  }
  stoppable->Set(daemon->get());
  Worker& worker = (*daemon)->worker();
  SetLogName(absl::StrCat("host ", worker.host_id().value(), " (", name, ")"));
  std::cout << "host " << worker.host_id() << " (" << name
            << ") of the cluster at " << coordinator << std::endl;
  ready.Ready(absl::StrCat(worker.host_id().value()));
  absl::Status status = (*daemon)->Run();
  stoppable->Set(nullptr);
  return status;
}

}  // namespace

std::function<absl::Status()> DefineWorker(CLI::App& app) {
  auto options = std::make_shared<WorkerCommandOptions>();
  Worker::Options& worker = options->daemon.worker;
  SessionOptions& session = options->daemon.session;
  AddCoordinatorOption(app, session.address);
  app.add_option("--name", worker.info.name,
                 "name of this host, unique in the cluster (default: the "
                 "machine's; of several that a launcher starts there with .r "
                 "and the local rank)")
      ->envname("LOCKSTEP_HOST_NAME");
  app.add_option("--rank", options->rank,
                 "host id to ask for (default: the launcher's rank)")
      ->envname("LOCKSTEP_RANK")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--expected-hosts", options->expected_hosts,
                 "hosts of the cluster (default: the launcher's count)")
      ->envname("LOCKSTEP_EXPECTED_HOSTS")
      ->check(CLI::PositiveNumber);
  app.add_option("--devices", options->devices,
                 "how many devices this host has (default: 1); of those that a "
                 "platform finds, the first ones (default there: all), or "
                 "which: 0,2")
      ->envname("LOCKSTEP_CPU_DEVICES")
      ->type_name("N|N,N");
  app.add_option("--local-devices", worker.local_devices,
                 "which devices, also when it is one, as the platform counts "
                 "them (default: all that it finds)")
      ->envname("LOCKSTEP_LOCAL_DEVICES")
      ->delimiter(',')
      ->check(CLI::NonNegativeNumber);
  app.add_option("--backend", worker.backend,
                 "what runs the programs (default: the platform's)")
      ->envname("LOCKSTEP_BACKEND");
  app.add_option("--platform", worker.platform,
                 "kind of devices, cpu or cuda (default: GPUs where a driver "
                 "and NVRTC are found)")
      ->envname("LOCKSTEP_PLATFORM");
  app.add_option(
         "--reduction-mode", options->reduction_mode,
         "how GPUs add floats, the same on all hosts: fast, or ordered, "
         "with the bits that CPUs give")
      ->envname("LOCKSTEP_REDUCTION_MODE")
      ->capture_default_str()
      ->check(CLI::IsMember({"fast", "ordered"}));
  AddCacheDirectoryOption(app, worker.cache_directory)
      ->envname("LOCKSTEP_CACHE_DIR");
  app.add_option("--checkpoint-dir", options->daemon.checkpoint_directory,
                 "folder in which clients may have this worker save and "
                 "restore checkpoints (default: none)")
      ->envname("LOCKSTEP_CHECKPOINT_DIR")
      ->type_name("DIR");
  AddCpuTargetOption(app)->envname(kCpuTargetVariable);
  app.add_option("--interface", options->daemon.interface,
                 "network interface, or address of one, for other hosts and "
                 "clients (default: the one that leads to the coordinator)")
      ->envname("LOCKSTEP_INTERFACE");
  app.add_option("--listen", options->daemon.service_address,
                 "HOST:PORT for data of clients (default: a free port of that "
                 "interface)");
  app.add_option("--network-group", worker.info.network_group,
                 "name of the fast network that this host is in")
      ->envname("LOCKSTEP_NETWORK_GROUP");
  app.add_option("--cluster-id", worker.info.cluster_id,
                 "the cluster to join, or to start for a launcher's hosts "
                 "(default: the launcher's job; else any)");
  AddSecurityOptions(app, options->security);
  AddDurationOption(app, "--join-deadline", session.join_deadline,
                    "how long to wait for coordinator and other hosts");
  AddDurationOption(app, "--coordinator-grace", session.coordinator_grace,
                    "how long to wait for a coordinator that is gone");
  return [options]() -> absl::Status {
    options->has_named_devices =
        !options->daemon.worker.local_devices.empty() ||
        absl::StrContains(options->devices, ',');
    RETURN_IF_ERROR(TakeDevices(options->devices, options->daemon.worker));
    return RunWorker(*options);
  };
}

}  // namespace lockstep::internal
