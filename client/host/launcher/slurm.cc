// Slurm: srun, and sbatch scripts that call it.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
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

// Whether each task sees GPUs of its own, and not all of its node: by a binding
// that is asked for, else by what binds unless another binding is asked for.
// SLURM_TRES_PER_TASK counts processors too.
bool HasOwnGpus(const LauncherVariables& variables) {
  std::string bind = absl::AsciiStrToLower(variables.Text("SLURM_GPU_BIND"));
  for (const char* prefix : {"verbose,", "v,"}) {
    bind = std::string(absl::StripPrefix(bind, prefix));
  }
  if (!bind.empty() && bind != "verbose" && bind != "v") {
    const std::vector<std::string> of_each_task = {
        "single:", "per_task:", "map_gpu:", "mask_gpu:"};
    return std::any_of(
        of_each_task.begin(), of_each_task.end(),
        [&](const std::string& type) { return absl::StartsWith(bind, type); });
  }
  return !variables.Text("SLURM_GPUS_PER_TASK").empty() ||
         !variables.Text("SLURM_NTASKS_PER_GPU").empty() ||
         absl::StrContains(variables.Text("SLURM_TRES_PER_TASK"), "gpu");
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
  cluster.has_own_devices = HasOwnGpus(variables);
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
          // The others also in the shell of an allocation.
          .started = {"SLURM_STEP_NUM_TASKS", "SLURM_STEP_ID"},
          .hint = "start the program with srun",
          .read = Read};
}

}  // namespace lockstep::internal
