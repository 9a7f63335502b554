#ifndef LOCKSTEP_CLIENT_CLI_DURATION_OPTION_H_
#define LOCKSTEP_CLIENT_CLI_DURATION_OPTION_H_

#include <string>

#include "CLI/CLI.hpp"
#include "absl/time/time.h"

namespace lockstep::internal {

// Adds an option that takes "1.5s", "300ms", "2m", or a number of seconds; what
// `duration` holds is the default that help shows.
CLI::Option* AddDurationOption(CLI::App& app, const std::string& name,
                               absl::Duration& duration,
                               const std::string& description);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_CLI_DURATION_OPTION_H_
