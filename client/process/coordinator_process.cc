#include "client/process/coordinator_process.h"

#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/process/child_process.h"
#include "client/process/lockstep_binary.h"
#include "client/process/ready_pipe.h"
#include "proto/security/socket_address.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr absl::Duration kMoment = absl::Seconds(1);

}  // namespace

absl::StatusOr<std::string> StartCoordinatorProcess(
    const CoordinatorProcessOptions& options) {
  ASSIGN_OR_RETURN(const std::string binary, FindLockstepBinary());
  ChildProcess::Options child;
  child.name = "coordinator";
  child.arguments = {
      binary,
      "coordinator",
      absl::StrCat("--listen=", options.listen_address),
      absl::StrCat("--join-deadline=", absl::FormatDuration(options.deadline)),
      absl::StrCat("--end-when-empty=",
                   absl::FormatDuration(options.end_when_empty)),
      "--of-hosts"};
  if (options.waits_for_this_process) {
    child.arguments.push_back(absl::StrCat("--starter=", getpid()));
  }
  if (options.expected_hosts.has_value()) {
    child.arguments.push_back(
        absl::StrCat("--expected-hosts=", *options.expected_hosts));
  }
  if (!options.cluster_id.empty()) {
    child.arguments.push_back(
        absl::StrCat("--cluster-id=", options.cluster_id));
  }
  if (!options.security.directory.empty()) {
    child.arguments.push_back(
        absl::StrCat("--security-dir=", options.security.directory));
  }
  if (options.security.is_insecure) child.arguments.push_back("--insecure");
  if (!options.security.join_token.empty()) {
    // Not an argument: others on the machine see those.
    child.environment.emplace_back("LOCKSTEP_JOIN_TOKEN",
                                   options.security.join_token);
  }
  child.dies_with_parent = false;
  child.has_own_session = true;
  // Standard output belongs to the user's program.
  child.stdout_path = "/dev/null";
  ASSIGN_OR_RETURN(ChildProcess coordinator, ChildProcess::Spawn(child));
  ASSIGN_OR_RETURN(std::string address,
                   coordinator.AwaitReady(absl::Now() + options.deadline));
  std::move(coordinator).Detach();
  return address;
}

bool SomebodyListens(const std::string& address) {
  const UniqueFd socket(ConnectTo(address, absl::Now() + kMoment));
  return socket.is_open();
}

}  // namespace lockstep::internal
