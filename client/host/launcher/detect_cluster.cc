#include "client/host/launcher/detect_cluster.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/host/launcher/launcher.h"
#include "client/host/launcher/launcher_variables.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// The innermost first: torchrun is started on each machine by one of the
// others, and within an allocation of Slurm mpirun sees the variables of both.
const std::vector<Launcher>& Launchers() {
  static const auto& launchers = *new std::vector<Launcher>{
      TorchrunLauncher(), OpenMpiLauncher(), PmixLauncher(),
      HydraLauncher(),    SlurmLauncher(),   KubernetesLauncher()};
  return launchers;
}

absl::StatusOr<DetectedCluster> ReadForced(const Environment& environment,
                                           const Launcher& launcher) {
  const std::vector<std::string> missing = launcher.Missing(environment);
  if (missing.empty()) return launcher.read(environment);
  return absl::InvalidArgumentError(absl::StrCat(
      "cluster detection by ", launcher.method, " needs the variables ",
      absl::StrJoin(missing, ", "), ", which are not set; ", launcher.hint));
}

// More than one process, by a launcher that does not say all the rest; none:
// it says no such thing.
absl::StatusOr<std::optional<DetectedCluster>> ReadIncomplete(
    const Environment& environment, const Launcher& launcher) {
  if (launcher.counts.empty()) return std::optional<DetectedCluster>();
  const LauncherVariables variables(launcher.method, environment);
  const std::string name = variables.FirstSet(launcher.counts);
  ASSIGN_OR_RETURN(const auto count, variables.MaybeNumber(name, 0));
  if (count.value_or(1) <= 1) return std::optional<DetectedCluster>();
  DetectedCluster cluster;
  cluster.method = launcher.method;
  cluster.is_complete = false;
  cluster.is_started = launcher.HasStarted(environment);
  cluster.count = count;
  cluster.rank = cluster.local_rank = cluster.local_count = std::nullopt;
  cluster.address_error = absl::FailedPreconditionError(absl::StrCat(
      "of its variables ", absl::StrJoin(launcher.Missing(environment), ", "),
      " are not set; ", launcher.hint));
  return std::make_optional(std::move(cluster));
}

// Whether `launcher` has part in what is said in the name of another one: its
// PMIx is that of mpirun, and PMI or PMIx of srun lead to Slurm's variables.
bool HasPart(const Launcher& launcher, const DetectedCluster& cluster,
             const Environment& environment) {
  if (launcher.method == cluster.method) return true;
  if (launcher.method == PmixLauncher().method && cluster.method == "ompi") {
    return true;
  }
  const absl::StatusOr<DetectedCluster> read = launcher.read(environment);
  return read.ok() && read->method == cluster.method;
}

// Pods of a job that is not indexed.
std::optional<DetectedCluster> ReadPods(const Environment& environment) {
  const LauncherVariables variables("kubernetes", environment);
  const auto count = variables.MaybeNumber("LOCKSTEP_EXPECTED_HOSTS", 1);
  if (!environment("KUBERNETES_SERVICE_HOST").has_value() || !count.ok() ||
      count->value_or(1) <= 1) {
    return std::nullopt;
  }
  DetectedCluster cluster;
  cluster.method = "kubernetes";
  cluster.is_complete = false;
  cluster.count = *count;
  cluster.rank = std::nullopt;
  cluster.address_error = absl::FailedPreconditionError(absl::StrCat(
      "JOB_COMPLETION_INDEX is not set; ", KubernetesLauncher().hint));
  return cluster;
}

}  // namespace

std::vector<std::string> DetectionMethods() {
  std::vector<std::string> methods = {"auto", "none"};
  for (const Launcher& launcher : Launchers()) {
    methods.push_back(launcher.method);
  }
  return methods;
}

absl::StatusOr<DetectedCluster> DetectCluster(const Environment& environment,
                                              const std::string& method) {
  if (method == "none") return DetectedCluster();
  for (const Launcher& launcher : Launchers()) {
    if (launcher.method == method) return ReadForced(environment, launcher);
  }
  if (method != "auto") {
    return absl::InvalidArgumentError(absl::StrCat(
        "unknown cluster detection '", method, "', expected one of ",
        absl::StrJoin(DetectionMethods(), ", ")));
  }
  for (const Launcher& launcher : Launchers()) {
    if (launcher.IsThere(environment)) return launcher.read(environment);
  }
  for (const Launcher& launcher : Launchers()) {
    ASSIGN_OR_RETURN(std::optional<DetectedCluster> cluster,
                     ReadIncomplete(environment, launcher));
    if (cluster.has_value()) return *std::move(cluster);
  }
  return ReadPods(environment).value_or(DetectedCluster());
}

std::vector<std::string> IgnoredLaunchers(const Environment& environment,
                                          const std::string& method,
                                          const DetectedCluster& cluster) {
  const std::string why =
      method == "auto"
          ? absl::StrCat("launcher ", cluster.method, " counts before it")
          : absl::StrCat("cluster detection is by '", method, "'");
  std::vector<std::string> lines;
  for (const Launcher& launcher : Launchers()) {
    if (!launcher.IsThere(environment) ||
        HasPart(launcher, cluster, environment)) {
      continue;
    }
    lines.push_back(absl::StrCat(
        "variables of launcher ", launcher.method, " are ignored, since ", why,
        ": ", absl::StrJoin(launcher.Set(environment), ", ")));
  }
  return lines;
}

}  // namespace lockstep::internal
