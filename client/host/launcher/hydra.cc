// Hydra, the mpirun of MPICH and of what is made of it.
#include <string>

#include "absl/strings/str_cat.h"
#include "client/host/launcher/launcher.h"
#include "client/host/launcher/launcher_variables.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr char kMethod[] = "hydra";

absl::StatusOr<DetectedCluster> Read(const Environment& environment) {
  const LauncherVariables variables(kMethod, environment);
  DetectedCluster cluster;
  cluster.method = kMethod;
  RETURN_IF_ERROR(
      variables.TakeRank("PMI_SIZE", "PMI_RANK", cluster.count, cluster.rank));
  // srun --mpi=pmi2: Slurm's own variables say more.
  const Launcher slurm = SlurmLauncher();
  if (slurm.IsThere(environment)) {
    ASSIGN_OR_RETURN(DetectedCluster step, slurm.read(environment));
    if (step.count == cluster.count && step.rank == cluster.rank) return step;
  }
  ASSIGN_OR_RETURN(cluster.local_rank,
                   variables.MaybeNumber("MPI_LOCALRANKID", 0));
  ASSIGN_OR_RETURN(cluster.local_count,
                   variables.MaybeNumber("MPI_LOCALNRANKS", 1));
  cluster.address_error = absl::FailedPreconditionError(
      "its variables say nothing about where rank 0 is");
  return cluster;
}

}  // namespace

Launcher HydraLauncher() {
  return {.method = kMethod,
          .variables = {{"PMI_SIZE"}, {"PMI_RANK"}},
          .counts = {"PMI_SIZE"},
          .hint = "start the program with mpirun",
          .read = Read};
}

}  // namespace lockstep::internal
