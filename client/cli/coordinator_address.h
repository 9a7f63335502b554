#ifndef LOCKSTEP_CLIENT_CLI_COORDINATOR_ADDRESS_H_
#define LOCKSTEP_CLIENT_CLI_COORDINATOR_ADDRESS_H_

#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"

namespace lockstep::internal {

CLI::Option* AddCoordinatorOption(CLI::App& app, std::string& address);

// The coordinator that the user names: `option`, else LOCKSTEP_COORDINATOR,
// else
// "".
std::string NamedCoordinator(const std::string& option);

// The coordinator to speak to: the named one, else that of `lockstep up`.
// UNAVAILABLE when there is none, with what to do.
absl::StatusOr<std::string> CoordinatorAddress(const std::string& option);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_COORDINATOR_ADDRESS_H_
