#ifndef LOCKSTEP_CLIENT_CLI_COORDINATOR_ADDRESS_H_
#define LOCKSTEP_CLIENT_CLI_COORDINATOR_ADDRESS_H_

#include <string>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"

namespace lockstep {

// Adds --coordinator, which LOCKSTEP_COORDINATOR stands in for.
CLI::Option* AddCoordinatorOption(CLI::App& app, std::string& address);

// The coordinator to speak to: `given` (the option or the variable), else the
// one of `lockstep up`. UNAVAILABLE when there is none, with what to do.
absl::StatusOr<std::string> CoordinatorAddress(const std::string& given);

}  // namespace lockstep

#endif  // LOCKSTEP_CLIENT_CLI_COORDINATOR_ADDRESS_H_
