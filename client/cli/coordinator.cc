// lockstep coordinator: the process that brings the hosts together.
#include <unistd.h>

#include <iostream>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "client/cli/duration_option.h"
#include "client/cli/interruption.h"
#include "client/cli/security_options.h"
#include "client/cli/subcommand.h"
#include "client/process/open_files.h"
#include "client/process/ready_pipe.h"
#include "coordinator/server.h"
#include "runtime/base/logging.h"
#include "runtime/cluster/machine.h"

namespace lockstep::internal {
namespace {

struct CoordinatorCommandOptions {
  CoordinatorServer::Options server;
  SecurityOptions security;
  int expected_hosts = 0;  // 0: not given
  int starter = 0;         // pid; 0: not given
  bool is_of_hosts = false;
};

// A server that ^C shuts down, also while it is being started.
class StoppableServer {
 public:
  // `is_of_hosts`: a host has started it. Schedulers give notice of the end of
  // a job to all of its processes, and hosts that save then still meet here.
  explicit StoppableServer(bool is_of_hosts) : is_of_hosts_(is_of_hosts) {}

  void Stop() {
    absl::MutexLock lock(&mutex_);
    is_stopped_ = true;
    if (server_ != nullptr) RequestEnd();
  }
  // Null: it goes away.
  void Set(CoordinatorServer* server) {
    absl::MutexLock lock(&mutex_);
    server_ = server;
    if (is_stopped_ && server_ != nullptr) RequestEnd();
  }

 private:
  void RequestEnd() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (is_of_hosts_) return server_->RequestEndAfterHosts(kReason);
    server_->RequestShutdown(kReason);
  }

  static constexpr char kReason[] = "the coordinator was asked to end";

  const bool is_of_hosts_;
  absl::Mutex mutex_;
  bool is_stopped_ ABSL_GUARDED_BY(mutex_) = false;
  CoordinatorServer* server_ ABSL_GUARDED_BY(mutex_) = nullptr;
};

absl::Status RunCoordinator(CoordinatorServer::Options options,
                            const SecurityOptions& security, bool is_of_hosts) {
  ReadySignal ready = ReadySignal::FromEnvironment();
  RaiseOpenFileLimit();
  absl::StatusOr<Credentials> credentials =
      FindCredentials(security, options.address);
  if (!credentials.ok()) {
    ready.Failed(credentials.status());
    return credentials.status();
  }
  options.credentials = *std::move(credentials);
  auto stoppable = std::make_shared<StoppableServer>(is_of_hosts);
  Interruption interruption([stoppable] { stoppable->Stop(); });
  SetLogName("coordinator");
  options.coordinator.process_is_gone =
      [machine = MachineId()](const WorkerInfo& worker) {
        return !machine.empty() && worker.machine == machine &&
               ProcessHasEnded(worker.pid);
      };
  absl::StatusOr<std::unique_ptr<CoordinatorServer>> server =
      CoordinatorServer::Start(std::move(options));
  if (!server.ok()) {
    ready.Failed(server.status());
    return server.status();
  }
  stoppable->Set(server->get());
  std::cout << "coordinator ready at " << (*server)->address() << std::endl;
  ready.Ready((*server)->address());
  (*server)->AwaitShutdown();
  stoppable->Set(nullptr);
  return absl::OkStatus();
}

}  // namespace

std::function<absl::Status()> DefineCoordinator(CLI::App& app) {
  auto options = std::make_shared<CoordinatorCommandOptions>();
  CoordinatorOptions& times = options->server.coordinator;
  app.add_option("--listen", options->server.address,
                 "HOST:PORT; port 0 takes a free one")
      ->capture_default_str();
  app.add_option("--expected-hosts", options->expected_hosts,
                 "hosts of the cluster (default: what the first worker says)")
      ->envname("LOCKSTEP_EXPECTED_HOSTS")
      ->check(CLI::Range(1, 1 << 20));
  app.add_option("--expected-names", times.expected_names,
                 "names of the hosts, for messages about missing ones");
  app.add_option("--cluster-id", times.cluster_id,
                 "workers of another cluster are refused (default: random)");
  AddDurationOption(app, "--join-deadline", times.join_deadline,
                    "from the first worker until all are there");
  AddDurationOption(app, "--silence", times.silence,
                    "a host that has not reported for so long is dead");
  AddDurationOption(app, "--exited-after", times.exited_after,
                    "a host whose process is gone is dead after");
  AddDurationOption(app, "--named-after", times.named_after,
                    "a host that the others wait for is named after");
  AddDurationOption(app, "--stall-abort", times.stall_abort,
                    "a launch that is stuck fails after (0: never)");
  AddDurationOption(app, "--late-abort", times.late_abort,
                    "a wait for a host that is late fails after (0: never)");
  AddDurationOption(app, "--wait-deadline", times.wait_deadline,
                    "barriers and gathers fail after");
  AddDurationOption(app, "--key-wait", times.key_wait,
                    "waits for a key fail after");
  AddDurationOption(app, "--link-deadline", times.link_deadline,
                    "how long hosts may take to reach each other after they "
                    "joined");
  AddDurationOption(app, "--shutdown-deadline", times.shutdown_deadline,
                    "how long the end waits for all hosts to leave");
  AddDurationOption(app, "--preemption-deadline", times.preemption_deadline,
                    "how long hosts may take to say how far they are, after a "
                    "notice that says nothing else");
  CLI::Option* const end_when_empty = AddDurationOption(
      app, "--end-when-empty", options->server.ends_when_empty_for,
      "end when no host has been there for so long");
  app.add_flag("--of-hosts", options->is_of_hosts,
               "one of the hosts has started it: when it is asked to end, as "
               "all processes of a job are, it does so after its last host")
      ->needs(end_when_empty);
  app.add_option("--starter", options->starter,
                 "pid of the process that started this one: while it runs, the "
                 "first host may take until the join deadline to come")
      ->check(CLI::PositiveNumber);
  AddSecurityOptions(app, options->security);
  return [options]() -> absl::Status {
    if (options->expected_hosts > 0) {
      options->server.coordinator.expected_hosts = options->expected_hosts;
    }
    if (options->starter > 0) {
      // Not its pid alone, which may become another process's.
      options->server.awaits_first_host = [pid = options->starter] {
        return getppid() == pid;
      };
    }
    return RunCoordinator(options->server, options->security,
                          options->is_of_hosts);
  };
}

}  // namespace lockstep::internal
