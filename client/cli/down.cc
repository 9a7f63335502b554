// lockstep down: ends the cluster of `lockstep up`.
#include <signal.h>

#include <iostream>
#include <memory>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/cli/cluster_state.h"
#include "client/cli/coordinator_address.h"
#include "client/cli/coordinator_calls.h"
#include "client/cli/duration_option.h"
#include "client/cli/security_options.h"
#include "client/cli/subcommand.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr absl::Duration kAnswer = absl::Seconds(5);

struct DownOptions {
  std::string coordinator;
  SecurityOptions security;
  absl::Duration grace = absl::Seconds(5);
};

// A cluster that `up` did not start: its processes are not ours to end.
absl::Status DownRemote(const std::string& address,
                        const DownOptions& options) {
  ASSIGN_OR_RETURN(Credentials credentials,
                   FindCredentials(options.security, address));
  RETURN_IF_ERROR(ShutDownCluster(address, "lockstep down",
                                  absl::Now() + kAnswer + options.grace,
                                  credentials));
  std::cout << "cluster at " << address << " is ending" << std::endl;
  return absl::OkStatus();
}

// Locks the folder. An `up` that is still waiting for its hosts holds it: it is
// asked to end, and takes what it started with it. Returns that `up`.
absl::StatusOr<std::optional<ProcessRef>> LockAfterUp(StateDirectory& directory,
                                                      absl::Duration grace) {
  constexpr absl::Duration kPause = absl::Milliseconds(20);
  const absl::Time deadline = absl::Now() + grace + kAnswer;
  std::optional<ProcessRef> asked;
  while (true) {
    ASSIGN_OR_RETURN(const bool is_locked, directory.TryLock());
    if (is_locked) return asked;
    const absl::StatusOr<std::optional<ClusterState>> state = directory.Read();
    const bool has_starter =
        state.ok() && state->has_value() && (*state)->starter.has_value();
    // Once: it takes a second request as one to end without cleaning up.
    if (has_starter && asked != (*state)->starter) {
      asked = (*state)->starter;
      asked->Signal(SIGTERM);
      asked->Signal(SIGCONT);
    }
    if (absl::Now() >= deadline) {
      return absl::DeadlineExceededError(absl::StrCat(
          "expected to be alone in ", directory.path(),
          ", found another `lockstep up` or `lockstep down`",
          asked.has_value() ? absl::StrCat(", pid ", asked->pid) : "",
          " after ", absl::FormatDuration(grace + kAnswer)));
    }
    absl::SleepFor(kPause);
  }
}

absl::Status Down(const DownOptions& options) {
  ASSIGN_OR_RETURN(StateDirectory directory, StateDirectory::Open());
  ASSIGN_OR_RETURN(const std::optional<ProcessRef> starter,
                   LockAfterUp(directory, options.grace));
  ASSIGN_OR_RETURN(std::optional<ClusterState> state, directory.Read());
  std::string own_address = state.has_value() ? state->address : "";
  std::string named = NamedCoordinator(options.coordinator);
  // Who names credentials means them, also for the cluster of this folder.
  if (!named.empty() &&
      (named != own_address || !options.security.directory.empty())) {
    return DownRemote(named, options);
  }
  std::vector<ClusterState::Process> alive;
  if (state.has_value()) alive = state->Alive();
  if (alive.empty()) {
    directory.Remove();
    if (starter.has_value()) {
      std::cout << "the cluster that `lockstep up` (pid " << starter->pid
                << ") was starting has ended" << std::endl;
      return absl::OkStatus();
    }
    std::cout << "no cluster is running" << std::endl;
    return absl::OkStatus();
  }
  // Workers first: they say goodbye to the coordinator, which ends last.
  std::vector<ProcessRef> workers;
  std::vector<ProcessRef> coordinator;
  for (const ClusterState::Process& process : alive) {
    bool is_coordinator = process.ref == state->processes.front().ref;
    (is_coordinator ? coordinator : workers).push_back(process.ref);
  }
  size_t killed = Terminate(workers, options.grace).size();
  killed += Terminate(coordinator, options.grace).size();
  directory.Remove();
  std::cout << "cluster at " << state->address << " ended: " << alive.size()
            << (alive.size() == 1 ? " process" : " processes");
  if (killed > 0) std::cout << ", " << killed << " of them by force";
  std::cout << std::endl;
  return absl::OkStatus();
}

}  // namespace

std::function<absl::Status()> DefineDown(CLI::App& app) {
  auto options = std::make_shared<DownOptions>();
  AddCoordinatorOption(app, options->coordinator);
  AddSecurityOptions(app, options->security);
  AddDurationOption(app, "--grace", options->grace,
                    "before what still runs is killed");
  return [options] { return Down(*options); };
}

}  // namespace lockstep::internal
