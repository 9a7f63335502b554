// lockstep status: who is in the cluster, and what they are doing.
#include "runtime/base/status.h"

#include <iostream>
#include <memory>

#include "absl/time/clock.h"
#include "client/cli/coordinator_address.h"
#include "client/cli/coordinator_calls.h"
#include "client/cli/duration_option.h"
#include "client/cli/security_options.h"
#include "client/cli/subcommand.h"

namespace lockstep::internal {
namespace {

struct StatusOptions {
  std::string coordinator;
  SecurityOptions security;
  bool is_json = false;
  absl::Duration timeout = absl::Seconds(5);
};

absl::Status Status(const StatusOptions& options) {
  ASSIGN_OR_RETURN(std::string address,
                   CoordinatorAddress(options.coordinator));
  ASSIGN_OR_RETURN(Credentials credentials,
                   FindCredentials(options.security, address));
  ASSIGN_OR_RETURN(
      StatusReport report,
      GetClusterStatus(address, absl::Now() + options.timeout, credentials));
  std::cout << (options.is_json ? StatusJson(report) : StatusTable(report))
            << std::flush;
  return absl::OkStatus();
}

}  // namespace

std::function<absl::Status()> DefineStatus(CLI::App& app) {
  auto options = std::make_shared<StatusOptions>();
  AddCoordinatorOption(app, options->coordinator);
  AddSecurityOptions(app, options->security);
  app.add_flag("--json", options->is_json,
               "one JSON object instead of a table");
  AddDurationOption(app, "--timeout", options->timeout,
                    "how long to wait for the coordinator");
  return [options] { return Status(*options); };
}

}  // namespace lockstep::internal
