#include "client/cli/coordinator_address.h"

#include <stdlib.h>

#include "absl/strings/str_cat.h"
#include "client/cli/cluster_state.h"
#include "runtime/base/status.h"

namespace lockstep::internal {

CLI::Option* AddCoordinatorOption(CLI::App& app, std::string& address) {
  return app.add_option("--coordinator", address,
                        "HOST:PORT of the coordinator (default: "
                        "LOCKSTEP_COORDINATOR, else that of `lockstep up`)");
}

std::string NamedCoordinator(const std::string& option) {
  const char* variable = getenv("LOCKSTEP_COORDINATOR");
  return option.empty() && variable != nullptr ? variable : option;
}

absl::StatusOr<std::string> CoordinatorAddress(const std::string& option) {
  std::string named = NamedCoordinator(option);
  if (!named.empty()) return named;
  ASSIGN_OR_RETURN(StateDirectory directory, StateDirectory::Open());
  ASSIGN_OR_RETURN(std::optional<ClusterState> state, directory.Read());
  if (!state.has_value()) {
    return absl::UnavailableError(
        "no cluster: pass --coordinator, set LOCKSTEP_COORDINATOR, or start "
        "one with `lockstep up`");
  }
  if (!state->is_coordinator_alive()) {
    return absl::UnavailableError(
        absl::StrCat("the coordinator of `lockstep up` at ", state->address,
                     " has ended; `lockstep down` clears the rest away"));
  }
  return state->address;
}

}  // namespace lockstep::internal
