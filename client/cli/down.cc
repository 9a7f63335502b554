// lockstep down: ends the cluster of `lockstep up`.
#include <iostream>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/cli/cluster_state.h"
#include "client/cli/coordinator_address.h"
#include "client/cli/coordinator_calls.h"
#include "client/cli/duration_option.h"
#include "client/cli/subcommand.h"
#include "runtime/base/status.h"

namespace lockstep {
namespace {

constexpr absl::Duration kAnswer = absl::Seconds(5);

struct DownOptions {
  std::string coordinator;
  absl::Duration grace = absl::Seconds(5);
};

// A cluster that `up` did not start: its processes are not ours to end.
absl::Status DownRemote(const std::string& address,
                        const DownOptions& options) {
  RETURN_IF_ERROR(ShutDownCluster(address, "lockstep down",
                                  absl::Now() + kAnswer + options.grace));
  std::cout << "cluster at " << address << " is ending" << std::endl;
  return absl::OkStatus();
}

absl::Status Down(const DownOptions& options) {
  ASSIGN_OR_RETURN(StateDirectory directory, StateDirectory::Open());
  RETURN_IF_ERROR(directory.Lock());
  ASSIGN_OR_RETURN(std::optional<ClusterState> state, directory.Read());
  std::string own_address = state.has_value() ? state->address : "";
  std::string named = NamedCoordinator(options.coordinator);
  if (!named.empty() && named != own_address) return DownRemote(named, options);
  std::vector<ClusterState::Process> alive;
  if (state.has_value()) alive = state->Alive();
  if (alive.empty()) {
    directory.Remove();
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
  AddDurationOption(app, "--grace", options->grace,
                    "before what still runs is killed");
  return [options] { return Down(*options); };
}

}  // namespace lockstep
