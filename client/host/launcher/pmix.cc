// Launchers that speak PMIx, such as PRRTE's prun.
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/host/launcher/launcher.h"
#include "client/host/launcher/launcher_variables.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr char kMethod[] = "pmix";

absl::StatusOr<DetectedCluster> Read(const Environment& environment) {
  const LauncherVariables variables(kMethod, environment);
  const std::string job = variables.Text("PMIX_NAMESPACE");
  // srun --mpi=pmix: Slurm's own variables say more.
  const Launcher slurm = SlurmLauncher();
  if (absl::StartsWith(job, "slurm.pmix.") && slurm.IsThere(environment)) {
    return slurm.read(environment);
  }
  DetectedCluster cluster;
  cluster.method = kMethod;
  ASSIGN_OR_RETURN(cluster.rank, variables.MaybeNumber("PMIX_RANK", 0));
  cluster.count = cluster.local_rank = cluster.local_count = std::nullopt;
  cluster.cluster_id = absl::StrCat(kMethod, " ", job);
  cluster.needs_pmix = true;
  cluster.address_error = absl::FailedPreconditionError(
      "PMIX_NAMESPACE and PMIX_RANK say neither how many processes there are "
      "nor where rank 0 is");
  return cluster;
}

}  // namespace

Launcher PmixLauncher() {
  return {.method = kMethod,
          .variables = {{"PMIX_RANK"}, {"PMIX_NAMESPACE"}},
          .counts = {"PMIX_SIZE"},
          .hint = "start the program with a launcher that speaks PMIx",
          .read = Read};
}

}  // namespace lockstep::internal
