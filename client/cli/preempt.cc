// lockstep preempt: says that a preemption is coming.
#include <iostream>
#include <memory>

#include "absl/time/clock.h"
#include "client/cli/coordinator_address.h"
#include "client/cli/coordinator_calls.h"
#include "client/cli/duration_option.h"
#include "client/cli/security_options.h"
#include "client/cli/subcommand.h"
#include "runtime/base/status.h"
#include "runtime/cluster/preemption.h"

namespace lockstep::internal {
namespace {

// Until the coordinator says what came of it, after the deadline.
constexpr absl::Duration kAnswer = absl::Seconds(5);

struct PreemptOptions {
  std::string coordinator;
  SecurityOptions security;
  std::string host;
  absl::Duration deadline = absl::Seconds(30);
};

absl::Status Preempt(const PreemptOptions& options) {
  ASSIGN_OR_RETURN(const std::string address,
                   CoordinatorAddress(options.coordinator));
  ASSIGN_OR_RETURN(const Credentials credentials,
                   FindCredentials(options.security, address));
  ASSIGN_OR_RETURN(
      const int64_t sync_step,
      NoticePreemption(address, options.host, options.deadline,
                       absl::Now() + options.deadline + kAnswer, credentials));
  std::cout << "all hosts save at " << SyncStepText(sync_step);
  if (sync_step == kFirstStep) {
    std::cout << ": no program has come to a step yet; one that does not call "
                 "reached_preemption_sync_point does not save";
  }
  std::cout << std::endl;
  return absl::OkStatus();
}

}  // namespace

std::function<absl::Status()> DefinePreempt(CLI::App& app) {
  auto options = std::make_shared<PreemptOptions>();
  app.add_option("host", options->host,
                 "id or name of the host that is to be taken away, for "
                 "messages (default: none in particular)");
  AddCoordinatorOption(app, options->coordinator);
  AddSecurityOptions(app, options->security);
  AddDurationOption(app, "--deadline", options->deadline,
                    "how long hosts may take to say how far they are");
  return [options] { return Preempt(*options); };
}

}  // namespace lockstep::internal
