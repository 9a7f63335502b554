// Indexed jobs of Kubernetes, and JobSets of one or several such jobs.
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "client/host/launcher/launcher.h"
#include "client/host/launcher/launcher_variables.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

constexpr char kMethod[] = "kubernetes";
constexpr int kPort = 55527;

// "train" of the pod "train-3", whose index is 3; "" of what is not its name.
// With hostNetwork the name is the node's, which may end in a number too.
std::string JobOf(absl::string_view pod, absl::string_view index) {
  return absl::ConsumeSuffix(&pod, index) && absl::ConsumeSuffix(&pod, "-")
             ? std::string(pod)
             : "";
}

// Of a JobSet of several equal jobs: the jobs before this one count too.
absl::Status AddJobIndex(const LauncherVariables& variables,
                         const Environment& environment,
                         DetectedCluster& cluster) {
  const auto replicas = environment("JOB_REPLICAS");
  ASSIGN_OR_RETURN(const auto index, variables.MaybeNumber("JOB_INDEX", 0));
  if (!replicas.has_value() && index.value_or(0) == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(
      const int64_t jobs,
      variables.Number("JOB_REPLICAS", 1, std::numeric_limits<int>::max()));
  ASSIGN_OR_RETURN(const int64_t job,
                   variables.Number("JOB_INDEX", 0, jobs - 1));
  if (jobs == 1) return absl::OkStatus();
  if (!cluster.count.has_value() || *cluster.count % jobs != 0) {
    return variables.Wrong(
        "LOCKSTEP_EXPECTED_HOSTS",
        absl::StrCat("a multiple of ", jobs, ", which is JOB_REPLICAS"));
  }
  const auto pods_per_job = static_cast<int>(*cluster.count / jobs);
  if (cluster.rank.value_or(0) >= pods_per_job) {
    return variables.Wrong(
        "JOB_COMPLETION_INDEX",
        absl::StrCat("below ", pods_per_job, ", the pods of each job"));
  }
  if (cluster.rank.has_value()) {
    *cluster.rank += static_cast<int>(job) * pods_per_job;
  }
  cluster.address_error =
      absl::FailedPreconditionError("there are several jobs (JOB_REPLICAS)");
  return absl::OkStatus();
}

// Pod 0 of the job.
void TakeAddress(const LauncherVariables& variables, DetectedCluster& cluster) {
  const std::string index = variables.Text("JOB_COMPLETION_INDEX");
  const std::string job = JobOf(variables.Text("HOSTNAME"), index);
  if (job.empty()) {
    cluster.address_error = absl::FailedPreconditionError(absl::StrCat(
        "HOSTNAME must be the name of an indexed job's pod, such as train-",
        index, " of JOB_COMPLETION_INDEX ", index, ", found '",
        variables.Text("HOSTNAME"), "'"));
    return;
  }
  const std::string space = variables.Text("POD_NAMESPACE");
  cluster.cluster_id =
      absl::StrCat(kMethod, " ", space, space.empty() ? "" : "/", job);
  const std::string set = variables.Text("JOBSET_NAME");
  cluster.needs_domain = set.empty();
  cluster.coordinator_address =
      absl::StrCat(job, "-0", set.empty() ? "" : ".", set, ":", kPort);
}

absl::StatusOr<DetectedCluster> Read(const Environment& environment) {
  const LauncherVariables variables(kMethod, environment);
  DetectedCluster cluster;
  cluster.method = kMethod;
  ASSIGN_OR_RETURN(cluster.count,
                   variables.MaybeNumber("LOCKSTEP_EXPECTED_HOSTS", 1));
  ASSIGN_OR_RETURN(cluster.rank,
                   variables.MaybeNumber("JOB_COMPLETION_INDEX", 0));
  if (environment("JOBSET_NAME").has_value()) {
    RETURN_IF_ERROR(AddJobIndex(variables, environment, cluster));
  }
  if (cluster.count.has_value() && cluster.rank.has_value() &&
      *cluster.rank >= *cluster.count) {
    return variables.Wrong("JOB_COMPLETION_INDEX",
                           absl::StrCat("below ", *cluster.count,
                                        ", which is LOCKSTEP_EXPECTED_HOSTS"));
  }
  // A service's name says where it is.
  if (environment("LOCKSTEP_COORDINATOR").has_value()) return cluster;
  if (!cluster.count.has_value()) {
    cluster.address_error = absl::FailedPreconditionError(
        "LOCKSTEP_EXPECTED_HOSTS is not set; set it to the job's completions");
  } else if (cluster.address_error.ok() && *cluster.count > 1) {
    TakeAddress(variables, cluster);
  }
  return cluster;
}

}  // namespace

Launcher KubernetesLauncher() {
  return {.method = kMethod,
          .variables = {{"KUBERNETES_SERVICE_HOST"},
                        {"JOB_COMPLETION_INDEX", "LOCKSTEP_COORDINATOR"}},
          .counts = {},
          .hint = "give the job completionMode: Indexed",
          .read = Read};
}

}  // namespace lockstep::internal
