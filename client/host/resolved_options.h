#ifndef LOCKSTEP_CLIENT_HOST_RESOLVED_OPTIONS_H_
#define LOCKSTEP_CLIENT_HOST_RESOLVED_OPTIONS_H_

#include <signal.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "client/host/initialize.h"
#include "client/host/launcher/environment.h"
#include "client/host/pmix/pmix_client.h"
#include "runtime/collectives/reduction_mode.h"
#include "runtime/worker/host_address.h"

namespace lockstep::internal {

enum class StartCoordinator { kNever, kAuto, kAlways };

// What this process finds out where neither options nor variables say it.
struct LocalFacts {
  std::string machine_name;  // "gpu03"
  // With its domain, "train-1.train.default.svc.cluster.local", as far as there
  // is one. The answer may take a resolver's time.
  std::function<std::string()> full_machine_name = {};
  // The launcher's PMIx, connected when it is asked for first; owned by this
  // function. Errors of PmixClient::Connect.
  std::function<absl::StatusOr<PmixClient*>()> pmix = {};
  // Which address of this machine leads to a host:port, or is an interface's.
  std::function<absl::StatusOr<HostAddress>(absl::string_view coordinator,
                                            absl::string_view interface,
                                            absl::Time deadline)>
      find_address = FindHostAddress;
};

LocalFacts FactsOfThisProcess();

// InitializeOptions with all sources taken together.
struct ResolvedOptions {
  std::string launcher = "none";  // who started this process: "slurm"
  // For the log: what launchers say and nobody heeds, and why; a line each.
  std::vector<std::string> ignored;
  std::string coordinator_address;  // "": a cluster of one
  // The launcher says the address, so nobody else starts the coordinator.
  bool is_address_of_launcher = false;
  // The launcher says that there are hosts on several machines.
  bool spans_machines = false;
  // coordinator_address is "" until FindMeetingPlace.
  bool meets_by_pmix = false;
  std::string coordinator_bind_address;
  StartCoordinator start_coordinator = StartCoordinator::kAuto;
  std::optional<int> expected_hosts;
  std::optional<int> requested_rank;
  std::string host_name;
  // That of the launcher's job, where the launcher says the address; else "".
  std::string cluster_id;
  // Which of the hosts of this machine this one is, and of how many.
  int local_rank = 0;
  int local_count = 1;
  // The launcher shows each of them devices of its own.
  bool has_own_devices = false;
  bool has_named_devices = false;  // local_devices was given
  int local_device_count = 1;
  std::vector<int> local_devices;  // ordinals; empty: all
  std::string interface;           // "": the one that leads to the coordinator
  std::string network_group;
  std::string backend;   // "": the default
  std::string platform;  // "": the backend's
  ReductionMode reduction_mode = ReductionMode::kFast;
  std::string cache_directory;
  // "": not given; the folder of `lockstep up --secure` may be found later.
  std::string security_directory;
  std::string join_token;
  bool allow_insecure = false;
  absl::Duration join_deadline = absl::Seconds(300);
  int preemption_signal = SIGTERM;     // 0: none
  absl::Duration preemption_deadline;  // 0: the coordinator's
};

// Argument, then variable, then launcher, then default (spec M-2). Pure but for
// `facts`. The errors of Initialize that need no cluster.
absl::StatusOr<ResolvedOptions> ResolveOptions(const InitializeOptions& options,
                                               const Environment& environment,
                                               const LocalFacts& facts);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_HOST_RESOLVED_OPTIONS_H_
