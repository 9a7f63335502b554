// lockstep up: a cluster on this machine, in the background.
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "client/cli/cache_directory_option.h"
#include "client/cli/cluster_state.h"
#include "client/cli/cpu_target_option.h"
#include "client/cli/duration_option.h"
#include "client/cli/interruption.h"
#include "client/cli/progress_line.h"
#include "client/cli/subcommand.h"
#include "client/host/cluster_devices.h"
#include "client/process/local_cluster.h"
#include "client/process/run_directory.h"
#include "proto/security/security_directory.h"
#include "runtime/backends/cpu/processor/cpu_target.h"
#include "runtime/base/status.h"
#include "runtime/worker/host_address.h"

namespace lockstep::internal {
namespace {

constexpr absl::Duration kGrace = absl::Seconds(5);
// Of certificates; a cluster in the background may live long.
constexpr absl::Duration kValidity = absl::Hours(24 * 365);

struct UpOptions {
  int hosts = 1;
  int devices_per_host = 1;
  std::string platform;
  std::string backend;
  std::string cache_directory;
  std::string checkpoint_directory;
  std::string interface;  // "": loopback
  bool is_foreground = false;
  bool is_secure = false;
  absl::Duration join_deadline = absl::Seconds(60);
};

// The processes started so far, shared with the thread that hears ^C.
class StartedProcesses {
 public:
  void Set(std::vector<ProcessRef> processes) {
    absl::MutexLock lock(&mutex_);
    processes_ = std::move(processes);
  }
  // The workers first: they say goodbye to the coordinator.
  void End() {
    std::vector<ProcessRef> processes;
    {
      absl::MutexLock lock(&mutex_);
      processes = processes_;
    }
    if (processes.empty()) return;
    Terminate(absl::MakeSpan(processes).subspan(1), kGrace);
    Terminate(absl::MakeSpan(processes).first(1), kGrace);
  }

 private:
  absl::Mutex mutex_;
  std::vector<ProcessRef> processes_ ABSL_GUARDED_BY(mutex_);
};

std::string Count(int n, absl::string_view noun) {
  return absl::StrCat(n, " ", noun, n == 1 ? "" : "s");
}

std::string Size(int hosts, int devices_per_host) {
  return absl::StrCat(Count(hosts, "host"), ", ",
                      Count(hosts * devices_per_host, "device"));
}

// One cluster per user; what a cluster that broke down left behind is ended.
absl::Status ClearStaleState(const StateDirectory& directory) {
  absl::StatusOr<std::optional<ClusterState>> state = directory.Read();
  if (state.ok() && state->has_value()) {
    const ClusterState& cluster = **state;
    if (cluster.is_coordinator_alive()) {
      return absl::AlreadyExistsError(
          absl::StrCat("a cluster runs at ", cluster.address, " (",
                       Size(cluster.hosts, cluster.devices_per_host),
                       "); end it with `lockstep down`"));
    }
    std::vector<ProcessRef> left;
    for (const auto& process : cluster.Alive()) left.push_back(process.ref);
    Terminate(left, kGrace);
  }
  directory.Remove();
  return absl::OkStatus();
}

// Keeps the state file and the list for ^C up to date. A process that is not in
// the file is one that `down` cannot find.
absl::Status Record(const UpOptions& options, const LocalCluster& cluster,
                    const StateDirectory& directory,
                    std::optional<ProcessRef> starter,
                    StartedProcesses& started) {
  ClusterState state{.address = cluster.address(),
                     .hosts = options.hosts,
                     .devices_per_host = options.devices_per_host,
                     .processes = {},
                     .starter = starter};
  std::vector<ProcessRef> refs;
  for (const ChildProcess& process : cluster.processes()) {
    state.processes.push_back({process.name(), process.ref()});
    refs.push_back(process.ref());
  }
  started.Set(refs);
  if (options.is_secure && !cluster.address().empty()) {
    RETURN_IF_ERROR(RecordSecurityAddress(cluster.address()));
  }
  return directory.Write(state);
}

// An `up` or `down` of this user may be at work, and take its time.
absl::Status AwaitLock(StateDirectory& directory,
                       const Interruption& interruption) {
  constexpr absl::Duration kPause = absl::Milliseconds(20);
  ProgressLine progress(STDERR_FILENO);
  while (true) {
    ASSIGN_OR_RETURN(const bool is_locked, directory.TryLock());
    if (is_locked) return absl::OkStatus();
    if (interruption.was_interrupted()) {
      return absl::CancelledError("interrupted; nothing was started");
    }
    const auto state = directory.Read();
    const bool has_starter =
        state.ok() && state->has_value() && (*state)->starter.has_value();
    progress.Show(absl::StrCat(
        "waiting for another `lockstep up` or `lockstep down`",
        has_starter ? absl::StrCat(" (pid ", (*state)->starter->pid, ")") : "",
        " ..."));
    absl::SleepFor(kPause);
  }
}

absl::Status Up(const UpOptions& options) {
  auto started = std::make_shared<StartedProcesses>();
  Interruption interruption([started] { started->End(); });
  ASSIGN_OR_RETURN(StateDirectory directory, StateDirectory::Open());
  RETURN_IF_ERROR(AwaitLock(directory, interruption));
  RETURN_IF_ERROR(ClearStaleState(directory));
  directory.RemoveLogs();

  LocalCluster::Options cluster_options;
  cluster_options.hosts = options.hosts;
  cluster_options.devices_per_host = options.devices_per_host;
  cluster_options.platform = options.platform;
  cluster_options.backend = options.backend;
  ASSIGN_OR_RETURN(const std::string notice,
                   ChooseClusterDevices(cluster_options));
  if (!notice.empty()) std::cerr << notice << std::endl;
  cluster_options.cache_directory = options.cache_directory;
  if (!options.checkpoint_directory.empty()) {
    cluster_options.checkpoint_directory =
        std::filesystem::absolute(options.checkpoint_directory).string();
  }
  cluster_options.join_deadline = options.join_deadline;
  if (!options.interface.empty()) {
    ASSIGN_OR_RETURN(const HostAddress address, AddressOn(options.interface));
    cluster_options.listen_address = address.WithPort(0);
    cluster_options.interface = address.interface;
  }
  cluster_options.dies_with_parent = options.is_foreground;
  cluster_options.log_directory = directory.path();
  cluster_options.on_started = [&](const LocalCluster& cluster) {
    return Record(options, cluster, directory, ProcessRef::Find(getpid()),
                  *started);
  };
  if (options.is_secure) {
    cluster_options.security_directory = UpSecurityDirectory();
    RETURN_IF_ERROR(
        CreateSecurityDirectory(UpSecurityDirectory(), absl::Now(), kValidity));
  }
  ProgressLine progress(STDERR_FILENO);
  progress.Show(
      absl::StrCat("starting ", Count(options.hosts, "host"), " ..."));
  absl::StatusOr<LocalCluster> cluster = LocalCluster::Start(cluster_options);
  progress.Clear();
  absl::Status status = cluster.status();
  if (status.ok()) {
    status = Record(options, *cluster, directory, std::nullopt, *started);
  }
  if (!status.ok() || interruption.was_interrupted()) {
    if (cluster.ok()) cluster->Stop(kGrace);
    directory.Remove();
    if (interruption.was_interrupted()) {
      return absl::CancelledError("interrupted; nothing is left running");
    }
    return Annotate(status, absl::StrCat("the cluster did not start (logs in ",
                                         directory.path(), ")"));
  }
  std::cout << "cluster ready at " << cluster->address() << ": "
            << Size(options.hosts, options.devices_per_host) << std::endl;
  if (!options.is_foreground) {
    std::move(*cluster).Detach();
    return absl::OkStatus();
  }
  directory.Unlock();
  cluster->processes().front().AwaitExit(absl::InfiniteFuture());
  cluster->Stop(kGrace);
  directory.Remove();
  if (interruption.was_interrupted()) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("the coordinator at ", cluster->address(), " ended"));
}

}  // namespace

std::function<absl::Status()> DefineUp(CLI::App& app) {
  auto options = std::make_shared<UpOptions>();
  app.add_option("--hosts", options->hosts, "workers to start")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  app.add_option("--devices-per-host", options->devices_per_host,
                 "devices of each worker")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
  app.add_option("--platform", options->platform,
                 "kind of devices, cpu or cuda (default: GPUs where there are "
                 "enough of them)")
      ->envname("LOCKSTEP_PLATFORM");
  app.add_option("--backend", options->backend,
                 "what runs the programs (default: the platform's)")
      ->envname("LOCKSTEP_BACKEND");
  AddCacheDirectoryOption(app, options->cache_directory);
  app.add_option("--checkpoint-dir", options->checkpoint_directory,
                 "folder in which clients may have the workers save and "
                 "restore checkpoints (default: none)")
      ->type_name("DIR");
  AddCpuTargetOption(app)->envname(kCpuTargetVariable);
  app.add_option("--interface", options->interface,
                 "network interface, or address of one, by which clients of "
                 "other machines reach the cluster (default: loopback)")
      ->envname("LOCKSTEP_INTERFACE");
  AddDurationOption(app, "--join-deadline", options->join_deadline,
                    "how long to wait until all hosts are there");
  app.add_flag("--secure", options->is_secure,
               "TLS, and tokens with roles; certificates and tokens lie in a "
               "private folder, where status, run and down find them");
  app.add_flag("--foreground", options->is_foreground,
               "stay, and end the cluster on ^C");
  return [options] { return Up(*options); };
}

}  // namespace lockstep::internal
