// Slurm: srun, and sbatch scripts that call it.
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/host/launcher/launcher.h"
#include "client/host/launcher/launcher_variables.h"
#include "client/host/launcher/node_list.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr char kMethod[] = "slurm";
// Coprime to the number of ports, and larger than the number of jobs that are
// likely to be on one machine: step 1 of a job does not meet the next job.
constexpr int64_t kPortsBetweenSteps = 1009;

// Steps of one job follow each other faster than a coordinator ends.
int PortOf(int64_t job, int64_t step) {
  return static_cast<int>(kFirstDerivedPort +
                          (job + step * kPortsBetweenSteps) % kDerivedPorts);
}

// Which of the tasks of its node this is, and how many those are.
absl::Status TakeLocalRank(const LauncherVariables& variables,
                           DetectedCluster& cluster) {
  constexpr char kTasks[] = "SLURM_STEP_TASKS_PER_NODE";
  const auto tasks = ExpandTasksPerNode(variables.Text(kTasks));
  if (!tasks.ok()) {
    return variables.Wrong(kTasks, "one count for each node, such as 4(x2),2");
  }
  ASSIGN_OR_RETURN(const int64_t node,
                   variables.Number("SLURM_NODEID", 0,
                                    static_cast<int64_t>(tasks->size()) - 1));
  const int count = (*tasks)[static_cast<size_t>(node)];
  ASSIGN_OR_RETURN(const int64_t rank,
                   variables.Number("SLURM_LOCALID", 0, count - 1));
  cluster.local_rank = static_cast<int>(rank);
  cluster.local_count = count;
  return absl::OkStatus();
}

absl::StatusOr<DetectedCluster> Read(const Environment& environment) {
  const LauncherVariables variables(kMethod, environment);
  DetectedCluster cluster;
  cluster.method = kMethod;
  RETURN_IF_ERROR(variables.TakeRank(
      variables.FirstSet({"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"}),
      "SLURM_PROCID", cluster.count, cluster.rank));
  RETURN_IF_ERROR(TakeLocalRank(variables, cluster));
  constexpr int64_t kMost = std::numeric_limits<uint32_t>::max();
  ASSIGN_OR_RETURN(const int64_t job,
                   variables.Number("SLURM_JOB_ID", 0, kMost));
  ASSIGN_OR_RETURN(const int64_t step,
                   variables.Number("SLURM_STEP_ID", 0, kMost));
  constexpr char kNodes[] = "SLURM_STEP_NODELIST";
  const auto nodes = ExpandNodeList(variables.Text(kNodes));
  if (!nodes.ok()) {
    return variables.Wrong(kNodes, "a list of nodes such as gpu[01-03,07]");
  }
  cluster.coordinator_address =
      absl::StrCat(nodes->front(), ":", PortOf(job, step));
  cluster.cluster_id = absl::StrCat("slurm ", job, ".", step);
  cluster.machine_name = variables.Text("SLURMD_NODENAME");
  // What makes each task see its own GPUs only.
  for (const char* name : {"SLURM_GPUS_PER_TASK", "SLURM_NTASKS_PER_GPU",
                           "SLURM_GPU_BIND", "SLURM_TRES_PER_TASK"}) {
    if (environment(name).has_value()) cluster.has_own_devices = true;
  }
  return cluster;
}

}  // namespace

Launcher SlurmLauncher() {
  return {.method = kMethod,
          .variables = {{"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"},
                        {"SLURM_JOB_ID"},
                        {"SLURM_STEP_ID"},
                        {"SLURM_STEP_NODELIST"},
                        {"SLURM_PROCID"},
                        {"SLURM_LOCALID"},
                        {"SLURM_NODEID"},
                        {"SLURM_STEP_TASKS_PER_NODE"}},
          .counts = {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"},
          .hint = "start the program with srun",
          .read = Read};
}

}  // namespace lockstep::internal
