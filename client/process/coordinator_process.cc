#include "client/process/coordinator_process.h"

#include <grpcpp/grpcpp.h>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/process/child_process.h"
#include "client/process/lockstep_binary.h"
#include "runtime/base/status.h"

namespace lockstep {
namespace {

constexpr absl::Duration kMoment = absl::Seconds(1);

}  // namespace

absl::Status StartCoordinatorProcess(const CoordinatorProcessOptions& options) {
  ASSIGN_OR_RETURN(const std::string binary, FindLockstepBinary());
  ChildProcess::Options child;
  child.name = "coordinator";
  child.arguments = {
      binary, "coordinator", absl::StrCat("--listen=", options.listen_address),
      absl::StrCat("--join-deadline=", absl::FormatDuration(options.deadline)),
      "--end-when-empty=5s"};
  if (options.expected_hosts.has_value()) {
    child.arguments.push_back(
        absl::StrCat("--expected-hosts=", *options.expected_hosts));
  }
  child.dies_with_parent = false;
  child.has_own_session = true;
  // Standard output belongs to the user's program.
  child.stdout_path = "/dev/null";
  ASSIGN_OR_RETURN(ChildProcess coordinator, ChildProcess::Spawn(child));
  RETURN_IF_ERROR(
      coordinator.AwaitReady(absl::Now() + options.deadline).status());
  std::move(coordinator).Detach();
  return absl::OkStatus();
}

bool SomebodyListens(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  const auto channel = grpc::CreateCustomChannel(
      address, grpc::InsecureChannelCredentials(), arguments);
  const auto deadline = absl::ToChronoTime(absl::Now() + kMoment);
  grpc_connectivity_state state = channel->GetState(/*try_to_connect=*/true);
  while ((state == GRPC_CHANNEL_IDLE || state == GRPC_CHANNEL_CONNECTING) &&
         channel->WaitForStateChange(state, deadline)) {
    state = channel->GetState(true);
  }
  return state == GRPC_CHANNEL_READY;
}

}  // namespace lockstep
