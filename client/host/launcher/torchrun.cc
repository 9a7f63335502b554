// torchrun, and scripts that set the variables that it sets.
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/host/launcher/launcher.h"
#include "client/host/launcher/launcher_variables.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr char kMethod[] = "torchrun";

absl::StatusOr<DetectedCluster> Read(const Environment& environment) {
  const LauncherVariables variables(kMethod, environment);
  DetectedCluster cluster;
  cluster.method = kMethod;
  RETURN_IF_ERROR(
      variables.TakeRank("WORLD_SIZE", "RANK", cluster.count, cluster.rank));
  cluster.local_rank = cluster.local_count = std::nullopt;
  if (environment("LOCAL_WORLD_SIZE").has_value()) {
    RETURN_IF_ERROR(variables.TakeRank("LOCAL_WORLD_SIZE", "LOCAL_RANK",
                                       cluster.local_count,
                                       cluster.local_rank));
  }
  ASSIGN_OR_RETURN(int64_t port, variables.Number("MASTER_PORT", 1, 65535));
  const std::string host = variables.Text("MASTER_ADDR");
  cluster.cluster_id =
      absl::StrCat(kMethod, " ", variables.Text("TORCHELASTIC_RUN_ID"), " ",
                   host, ":", port);
  // torchrun itself listens there.
  if (variables.Text("TORCHELASTIC_USE_AGENT_STORE") == "True") {
    port = kFirstDerivedPort + port % kDerivedPorts;
  }
  const bool needs_brackets =
      absl::StrContains(host, ':') && !absl::StartsWith(host, "[");
  cluster.coordinator_address = absl::StrCat(needs_brackets ? "[" : "", host,
                                             needs_brackets ? "]:" : ":", port);
  return cluster;
}

}  // namespace

Launcher TorchrunLauncher() {
  return {
      .method = kMethod,
      .variables = {{"WORLD_SIZE"}, {"RANK"}, {"MASTER_ADDR"}, {"MASTER_PORT"}},
      .counts = {"WORLD_SIZE"},
      .hint = "start the program with torchrun",
      .read = Read};
}

}  // namespace lockstep::internal
