#include "client/host/resolved_options.h"

#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// A launcher and the variables that it sets; the first tells how many processes
// it started.
struct Launcher {
  std::string method;
  std::vector<std::string> variables;
};

const std::vector<Launcher>& Launchers() {
  static const auto& launchers = *new std::vector<Launcher>{
      {"ompi", {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}},
      {"pmix", {"PMIX_SIZE", "PMIX_RANK", "PMIX_NAMESPACE"}},
      {"slurm",
       {"SLURM_NTASKS", "SLURM_JOB_ID", "SLURM_STEP_NODELIST", "SLURM_PROCID",
        "SLURM_LOCALID"}},
      {"kubernetes", {"JOB_COMPLETION_INDEX", "KUBERNETES_SERVICE_HOST"}},
  };
  return launchers;
}

absl::StatusOr<std::optional<int>> IntegerVariable(
    const Environment& environment, const std::string& name) {
  const auto text = environment(name);
  if (!text.has_value()) return std::optional<int>();
  int value = 0;
  if (absl::SimpleAtoi(*text, &value)) return std::optional<int>(value);
  return absl::InvalidArgumentError(absl::StrCat(
      "the variable ", name, " must be an integer, found '", *text, "'"));
}

absl::Status TakeInteger(const std::optional<int>& argument,
                         const Environment& environment,
                         const std::string& name, std::optional<int>& value) {
  value = argument;
  if (value.has_value()) return absl::OkStatus();
  ASSIGN_OR_RETURN(value, IntegerVariable(environment, name));
  return absl::OkStatus();
}

std::string Text(const std::string& argument, const Environment& environment,
                 const std::string& name) {
  return argument.empty() ? environment(name).value_or("") : argument;
}

absl::Status CheckForcedLauncher(const std::string& method,
                                 const Environment& environment) {
  std::vector<std::string> methods = {"auto", "none"};
  for (const Launcher& launcher : Launchers()) {
    methods.push_back(launcher.method);
    if (launcher.method != method) continue;
    std::vector<std::string> missing;
    for (const std::string& variable : launcher.variables) {
      if (!environment(variable).has_value()) missing.push_back(variable);
    }
    if (missing.empty()) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("cluster detection by ", method, " needs the variables ",
                     absl::StrJoin(missing, ", "), ", which are not set"));
  }
  if (method == "auto" || method == "none") return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("unknown cluster detection '",
                                                 method, "', expected one of ",
                                                 absl::StrJoin(methods, ", ")));
}

// Several processes without a coordinator would be as many clusters of one.
absl::Status CheckNoSilentClustersOfOne(const Environment& environment) {
  for (const Launcher& launcher : Launchers()) {
    const std::string& variable = launcher.variables[0];
    if (launcher.method == "kubernetes") continue;  // tells no count
    ASSIGN_OR_RETURN(const auto count, IntegerVariable(environment, variable));
    if (count.value_or(1) <= 1) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        launcher.method, " started ", *count, " processes (", variable,
        "), but no coordinator address is known; looked at the argument "
        "coordinator_address and the variable LOCKSTEP_COORDINATOR"));
  }
  return absl::OkStatus();
}

absl::Status CheckRank(const ResolvedOptions& options) {
  if (options.expected_hosts.has_value() && *options.expected_hosts < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected_hosts must be 1 or more, found ", *options.expected_hosts));
  }
  if (!options.requested_rank.has_value()) return absl::OkStatus();
  const int rank = *options.requested_rank;
  if (rank < 0 ||
      (options.expected_hosts.has_value() && rank >= *options.expected_hosts)) {
    return absl::InvalidArgumentError(
        absl::StrCat("requested_rank ", rank, " is not in [0, ",
                     options.expected_hosts.has_value()
                         ? absl::StrCat(*options.expected_hosts)
                         : "expected_hosts",
                     ")"));
  }
  return absl::OkStatus();
}

absl::Status TakeCoordinator(const InitializeOptions& options,
                             const Environment& environment,
                             ResolvedOptions& resolved) {
  resolved.coordinator_address =
      Text(options.coordinator_address, environment, "LOCKSTEP_COORDINATOR");
  resolved.coordinator_bind_address =
      Text(options.coordinator_bind_address, environment,
           "LOCKSTEP_COORDINATOR_BIND");
  if (resolved.coordinator_bind_address.empty()) {
    resolved.coordinator_bind_address = resolved.coordinator_address;
  }
  const std::string start = Text(options.start_coordinator, environment,
                                 "LOCKSTEP_START_COORDINATOR");
  if (start == "never") {
    resolved.start_coordinator = StartCoordinator::kNever;
  } else if (start == "always") {
    resolved.start_coordinator = StartCoordinator::kAlways;
  } else if (!start.empty() && start != "auto") {
    return absl::InvalidArgumentError(
        absl::StrCat("start_coordinator must be auto, never or always, found '",
                     start, "'"));
  }
  if (start == "always" && resolved.coordinator_address.empty()) {
    return absl::InvalidArgumentError(
        "start_coordinator is always, but there is no coordinator_address at "
        "which the hosts find it");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<std::vector<int>>> LocalDevices(
    const InitializeOptions& options, const Environment& environment) {
  if (options.local_devices.has_value()) return options.local_devices;
  const auto text = environment("LOCKSTEP_LOCAL_DEVICES");
  if (!text.has_value()) return std::optional<std::vector<int>>();
  std::vector<int> ordinals;
  for (absl::string_view item : absl::StrSplit(*text, ',')) {
    int ordinal = 0;
    if (!absl::SimpleAtoi(item, &ordinal)) {
      return absl::InvalidArgumentError(
          absl::StrCat("the variable LOCKSTEP_LOCAL_DEVICES must be a list of "
                       "integers with commas, found '",
                       *text, "'"));
    }
    ordinals.push_back(ordinal);
  }
  return std::make_optional(std::move(ordinals));
}

absl::Status TakeDevices(const InitializeOptions& options,
                         const Environment& environment,
                         ResolvedOptions& resolved) {
  std::optional<int> visible;
  RETURN_IF_ERROR(TakeInteger(options.num_cpu_devices, environment,
                              "LOCKSTEP_CPU_DEVICES", visible));
  const int count = visible.value_or(1);
  if (count < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("num_cpu_devices must be 1 or more, found ", count));
  }
  ASSIGN_OR_RETURN(const auto chosen, LocalDevices(options, environment));
  resolved.local_device_count =
      chosen.has_value() ? static_cast<int>(chosen->size()) : count;
  if (!chosen.has_value()) {
    if (visible.has_value()) {
      resolved.local_devices.resize(static_cast<size_t>(count));
      std::iota(resolved.local_devices.begin(), resolved.local_devices.end(),
                0);
    }
    return absl::OkStatus();
  }
  resolved.local_devices = *chosen;
  if (chosen->empty()) {
    return absl::InvalidArgumentError(
        "local_devices is empty; leave it out to use all devices");
  }
  // Else the platform may find devices, and knows how many.
  const bool is_count_known =
      visible.has_value() ||
      (resolved.platform.empty() && resolved.backend.empty());
  std::set<int> seen;
  for (int ordinal : *chosen) {
    if (ordinal < 0 || (is_count_known && ordinal >= count)) {
      return absl::InvalidArgumentError(
          absl::StrCat("local_devices: there is no device ", ordinal,
                       ", this host has ", count, " (num_cpu_devices)"));
    }
    if (!seen.insert(ordinal).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("local_devices: device ", ordinal, " stands twice"));
    }
  }
  return absl::OkStatus();
}

absl::Status TakeJoinDeadline(const InitializeOptions& options,
                              const Environment& environment,
                              ResolvedOptions& resolved) {
  if (options.join_deadline.has_value()) {
    resolved.join_deadline = *options.join_deadline;
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const auto seconds,
                   IntegerVariable(environment, "LOCKSTEP_JOIN_DEADLINE_S"));
  if (seconds.has_value()) resolved.join_deadline = absl::Seconds(*seconds);
  return absl::OkStatus();
}

absl::Status TakeReductionMode(const InitializeOptions& options,
                               const Environment& environment,
                               ResolvedOptions& resolved) {
  const std::string name =
      Text(options.reduction_mode, environment, "LOCKSTEP_REDUCTION_MODE");
  if (name.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(resolved.reduction_mode, ParseReductionMode(name));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ResolvedOptions> ResolveOptions(
    const InitializeOptions& options, const Environment& environment,
    const std::string& machine_name) {
  ResolvedOptions resolved;
  RETURN_IF_ERROR(TakeCoordinator(options, environment, resolved));
  resolved.security_directory = options.security_directory;
  resolved.allow_insecure = options.allow_insecure;
  resolved.join_token =
      Text(options.join_token, environment, "LOCKSTEP_JOIN_TOKEN");
  RETURN_IF_ERROR(TakeInteger(options.expected_hosts, environment,
                              "LOCKSTEP_EXPECTED_HOSTS",
                              resolved.expected_hosts));
  RETURN_IF_ERROR(TakeInteger(options.requested_rank, environment,
                              "LOCKSTEP_RANK", resolved.requested_rank));
  RETURN_IF_ERROR(CheckRank(resolved));
  resolved.interface =
      Text(options.interface, environment, "LOCKSTEP_INTERFACE");
  resolved.network_group =
      Text(options.network_group, environment, "LOCKSTEP_NETWORK_GROUP");
  resolved.backend = Text(options.backend, environment, "LOCKSTEP_BACKEND");
  resolved.platform = Text(options.platform, environment, "LOCKSTEP_PLATFORM");
  RETURN_IF_ERROR(TakeReductionMode(options, environment, resolved));
  RETURN_IF_ERROR(TakeDevices(options, environment, resolved));
  resolved.cache_directory =
      Text(options.cache_directory, environment, "LOCKSTEP_CACHE_DIR");
  RETURN_IF_ERROR(TakeJoinDeadline(options, environment, resolved));
  resolved.host_name =
      Text(options.host_name, environment, "LOCKSTEP_HOST_NAME");
  if (resolved.host_name.empty()) {
    resolved.host_name = machine_name;
    if (resolved.requested_rank.has_value()) {
      absl::StrAppend(&resolved.host_name, ".r", *resolved.requested_rank);
    }
  }
  std::string detection =
      Text(options.cluster_detection, environment, "LOCKSTEP_CLUSTER");
  if (detection.empty()) detection = "auto";
  RETURN_IF_ERROR(CheckForcedLauncher(detection, environment));
  if (resolved.coordinator_address.empty() && detection != "none") {
    RETURN_IF_ERROR(CheckNoSilentClustersOfOne(environment));
  }
  return resolved;
}

}  // namespace lockstep::internal
