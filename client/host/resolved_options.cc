#include "client/host/resolved_options.h"

#include <netdb.h>
#include <unistd.h>

#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/host/launcher/detect_cluster.h"
#include "client/host/launcher/detected_cluster.h"
#include "client/host/preemption_signal.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

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

std::string WhatItStarted(const DetectedCluster& cluster) {
  const std::string launcher = absl::StrCat("launcher ", cluster.method);
  if (!cluster.count.has_value()) {
    return absl::StrCat(launcher,
                        " started this process, and nobody says of how many");
  }
  if (!cluster.is_started) {
    return absl::StrCat(launcher, " is to start ", *cluster.count,
                        " processes, and this is none of them");
  }
  return absl::StrCat("this is one of ", *cluster.count, " processes of ",
                      launcher);
}

// Several processes without a coordinator would be as many clusters of one.
absl::Status NoAddress(const DetectedCluster& cluster) {
  return absl::FailedPreconditionError(absl::StrCat(
      WhatItStarted(cluster), ", but no coordinator address is known: ",
      cluster.address_error.message(),
      "; looked also at the argument coordinator_address and the variable "
      "LOCKSTEP_COORDINATOR; set it to host:port, with a free port of the "
      "machine of rank 0, or set LOCKSTEP_CLUSTER=none for a program on its "
      "own"));
}

// "train-0:55527" of the machine "train-1.train.default" is
// "train-0.train.default:55527".
absl::StatusOr<std::string> WithDomain(const std::string& address,
                                       const LocalFacts& facts) {
  const std::string full_name =
      facts.full_machine_name ? facts.full_machine_name() : "";
  const size_t dot = full_name.find('.');
  if (dot == std::string::npos) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the host of the coordinator, ", address,
        ", is in the domain of this machine, but the full name of this machine "
        "has none: '",
        full_name,
        "'; give the job a subdomain and a headless service of that name, or "
        "set LOCKSTEP_COORDINATOR"));
  }
  const size_t colon = address.rfind(':');
  return absl::StrCat(address.substr(0, colon), full_name.substr(dot),
                      address.substr(colon));
}

// On one machine loopback, where nobody else listens.
absl::StatusOr<std::string> AddressOf(const DetectedCluster& cluster,
                                      const ResolvedOptions& resolved,
                                      const LocalFacts& facts) {
  if (cluster.is_one_machine() && resolved.interface.empty() &&
      resolved.coordinator_bind_address.empty()) {
    return absl::StrCat("127.0.0.1",
                        cluster.coordinator_address.substr(
                            cluster.coordinator_address.rfind(':')));
  }
  return cluster.needs_domain ? WithDomain(cluster.coordinator_address, facts)
                              : cluster.coordinator_address;
}

// What only PMIx knows, where it is needed. False: nobody speaks it, and
// variables say enough.
absl::StatusOr<bool> TakePlace(const LocalFacts& facts,
                               DetectedCluster& cluster) {
  const auto place = [&]() -> absl::StatusOr<PmixClient::Place> {
    if (!facts.pmix) return absl::UnavailableError("nobody speaks PMIx");
    ASSIGN_OR_RETURN(PmixClient * pmix, facts.pmix());
    return pmix->FindPlace();
  }();
  if (!place.ok()) {
    if (!cluster.coordinator_address.empty()) return false;
    cluster.address_error = absl::FailedPreconditionError(absl::StrCat(
        cluster.address_error.message(), ", and ", place.status().message()));
    return NoAddress(cluster);
  }
  cluster.count = place->count;
  cluster.rank = place->rank;
  cluster.local_rank = place->local_rank;
  cluster.local_count = place->local_count;
  return true;
}

// Wrong variables may be left over from somebody else's launcher: they are no
// error where nothing is left to ask it, and nobody says that it is there.
absl::StatusOr<DetectedCluster> FindLauncher(const InitializeOptions& options,
                                             const Environment& environment,
                                             ResolvedOptions& resolved) {
  std::string detection =
      Text(options.cluster_detection, environment, "LOCKSTEP_CLUSTER");
  if (detection.empty()) detection = "auto";
  absl::StatusOr<DetectedCluster> cluster =
      DetectCluster(environment, detection);
  const bool is_all_said = !resolved.coordinator_address.empty() &&
                           resolved.expected_hosts.has_value() &&
                           resolved.requested_rank.has_value();
  if (!cluster.ok() && detection == "auto" && is_all_said) {
    resolved.ignored = {absl::StrCat(
        "launchers are ignored, since address, expected hosts and rank are "
        "given: ",
        StatusLine(cluster.status()))};
    return DetectedCluster();
  }
  RETURN_IF_ERROR(cluster.status());
  resolved.ignored = IgnoredLaunchers(environment, detection, *cluster);
  return cluster;
}

// What arguments or variables of lockstep say otherwise.
void NoteIgnored(const DetectedCluster& cluster, ResolvedOptions& resolved) {
  const auto note = [&](absl::string_view what, const auto& said,
                        absl::string_view option, const auto& given) {
    resolved.ignored.push_back(
        absl::StrCat("of launcher ", cluster.method, " the ", what, " ", said,
                     " is ignored, since ", option, " is given: ", given));
  };
  const std::string& address = cluster.coordinator_address;
  if (!address.empty() && !resolved.coordinator_address.empty() &&
      address != resolved.coordinator_address) {
    note("address", address, "coordinator_address (LOCKSTEP_COORDINATOR)",
         resolved.coordinator_address);
  }
  const auto note_number =
      [&](absl::string_view what, const std::optional<int>& said,
          absl::string_view option, const std::optional<int>& given) {
        if (said.has_value() && given.has_value() && *said != *given) {
          note(what, *said, option, *given);
        }
      };
  note_number("count", cluster.count,
              "expected_hosts (LOCKSTEP_EXPECTED_HOSTS)",
              resolved.expected_hosts);
  note_number("rank", cluster.rank, "requested_rank (LOCKSTEP_RANK)",
              resolved.requested_rank);
}

// What neither arguments nor variables of lockstep say.
absl::Status TakeLauncher(const LocalFacts& facts, DetectedCluster& cluster,
                          ResolvedOptions& resolved) {
  resolved.launcher = cluster.method;
  if (!cluster.is_detected()) return absl::OkStatus();
  NoteIgnored(cluster, resolved);
  if (cluster.needs_pmix && resolved.coordinator_address.empty()) {
    ASSIGN_OR_RETURN(const bool has_pmix, TakePlace(facts, cluster));
    // What rank 0 does not start, it does not publish.
    const bool is_published =
        resolved.start_coordinator != StartCoordinator::kNever ||
        cluster.coordinator_address.empty();
    resolved.meets_by_pmix = has_pmix && cluster.count > 1 && is_published;
  }
  if (cluster.is_complete) {
    if (!resolved.expected_hosts.has_value()) {
      resolved.expected_hosts = cluster.count;
    }
    if (!resolved.requested_rank.has_value()) {
      resolved.requested_rank = cluster.rank;
    }
    resolved.local_rank = cluster.local_rank.value_or(0);
    resolved.local_count = cluster.local_count.value_or(1);
    resolved.has_own_devices = cluster.has_own_devices;
    resolved.spans_machines = cluster.spans_machines();
  }
  const bool is_one =
      cluster.count.value_or(resolved.expected_hosts.value_or(2)) <= 1;
  if (!resolved.coordinator_address.empty() || is_one) return absl::OkStatus();
  resolved.is_address_of_launcher = true;
  resolved.cluster_id = cluster.cluster_id;
  if (resolved.meets_by_pmix) return absl::OkStatus();
  if (cluster.coordinator_address.empty()) return NoAddress(cluster);
  ASSIGN_OR_RETURN(resolved.coordinator_address,
                   AddressOf(cluster, resolved, facts));
  return absl::OkStatus();
}

// The launcher's name for the machine, and which of its hosts this one is. Who
// says the rank, starts hosts that the launcher does not count.
std::string HostName(const DetectedCluster& cluster, bool is_rank_given,
                     const ResolvedOptions& resolved, const LocalFacts& facts) {
  const std::string& name =
      cluster.machine_name.empty() ? facts.machine_name : cluster.machine_name;
  if (cluster.is_detected() && cluster.local_count.has_value() &&
      !is_rank_given) {
    return *cluster.local_count == 1
               ? name
               : absl::StrCat(name, ".r", cluster.local_rank.value_or(0));
  }
  return resolved.requested_rank.has_value()
             ? absl::StrCat(name, ".r", *resolved.requested_rank)
             : name;
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
  return absl::OkStatus();
}

// The other hosts look for it at the port that is derived from the launcher's
// variables, wherever it listens; 0 stands for that port.
absl::Status CheckBindPort(ResolvedOptions& resolved) {
  const std::string& address = resolved.coordinator_address;
  std::string& bind = resolved.coordinator_bind_address;
  const std::string port = address.substr(address.rfind(':') + 1);
  const size_t colon = bind.rfind(':');
  const std::string found =
      colon == std::string::npos ? "" : bind.substr(colon + 1);
  if (found == "0") bind = absl::StrCat(bind.substr(0, colon + 1), port);
  if (found == "0" || found == port) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "coordinator_bind_address (LOCKSTEP_COORDINATOR_BIND) must be host:port "
      "with port ",
      port, ", or 0 for that, since hosts that launcher ", resolved.launcher,
      " starts look for the coordinator at ", address, "; found '", bind,
      "'; for another port set LOCKSTEP_COORDINATOR too"));
}

// With the address, from wherever it is.
absl::Status CompleteCoordinator(ResolvedOptions& resolved) {
  if (resolved.start_coordinator == StartCoordinator::kNever &&
      resolved.meets_by_pmix) {
    return absl::InvalidArgumentError(absl::StrCat(
        "start_coordinator (LOCKSTEP_START_COORDINATOR) is never, but hosts "
        "that launcher ",
        resolved.launcher,
        " starts hear by PMIx where rank 0 has started the coordinator; for "
        "one that somebody else starts set LOCKSTEP_COORDINATOR to its "
        "host:port"));
  }
  if (resolved.coordinator_bind_address.empty()) {
    resolved.coordinator_bind_address = resolved.coordinator_address;
  } else if (resolved.is_address_of_launcher && !resolved.meets_by_pmix &&
             resolved.start_coordinator != StartCoordinator::kNever) {
    RETURN_IF_ERROR(CheckBindPort(resolved));
  }
  if (resolved.start_coordinator == StartCoordinator::kAlways &&
      resolved.coordinator_address.empty() && !resolved.meets_by_pmix) {
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
  resolved.has_named_devices = true;
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

// In whole seconds, where the variable says it.
absl::Status TakeDeadline(const std::optional<absl::Duration>& argument,
                          const Environment& environment,
                          const std::string& name, absl::Duration& value) {
  if (argument.has_value()) {
    value = *argument;
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const auto seconds, IntegerVariable(environment, name));
  if (seconds.has_value()) value = absl::Seconds(*seconds);
  return absl::OkStatus();
}

absl::Status TakePreemption(const InitializeOptions& options,
                            const Environment& environment,
                            ResolvedOptions& resolved) {
  const std::string signal =
      options.preemption_signal.has_value()
          ? absl::StrCat(*options.preemption_signal)
          : environment("LOCKSTEP_PREEMPTION_SIGNAL").value_or("");
  if (!signal.empty()) {
    ASSIGN_OR_RETURN(resolved.preemption_signal, ParseSignal(signal));
  }
  return TakeDeadline(options.preemption_deadline, environment,
                      "LOCKSTEP_PREEMPTION_DEADLINE_S",
                      resolved.preemption_deadline);
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

LocalFacts FactsOfThisProcess() {
  LocalFacts facts;
  char name[256] = "localhost";
  gethostname(name, sizeof name - 1);
  facts.machine_name = name;
  facts.full_machine_name = [name = facts.machine_name] {
    addrinfo hints = {};
    hints.ai_flags = AI_CANONNAME;
    addrinfo* list = nullptr;
    if (getaddrinfo(name.c_str(), nullptr, &hints, &list) != 0) return name;
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(
        list, freeaddrinfo);
    return std::string(list->ai_canonname);
  };
  facts.pmix = [client = std::shared_ptr<PmixClient>()]() mutable
      -> absl::StatusOr<PmixClient*> {
    if (client == nullptr) {
      ASSIGN_OR_RETURN(client, PmixClient::Connect());
    }
    return client.get();
  };
  return facts;
}

absl::StatusOr<ResolvedOptions> ResolveOptions(const InitializeOptions& options,
                                               const Environment& environment,
                                               const LocalFacts& facts) {
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
  const bool is_rank_given = resolved.requested_rank.has_value();
  resolved.interface =
      Text(options.interface, environment, "LOCKSTEP_INTERFACE");
  ASSIGN_OR_RETURN(DetectedCluster cluster,
                   FindLauncher(options, environment, resolved));
  RETURN_IF_ERROR(TakeLauncher(facts, cluster, resolved));
  RETURN_IF_ERROR(CompleteCoordinator(resolved));
  RETURN_IF_ERROR(CheckRank(resolved));
  resolved.network_group =
      Text(options.network_group, environment, "LOCKSTEP_NETWORK_GROUP");
  resolved.backend = Text(options.backend, environment, "LOCKSTEP_BACKEND");
  resolved.platform = Text(options.platform, environment, "LOCKSTEP_PLATFORM");
  RETURN_IF_ERROR(TakeReductionMode(options, environment, resolved));
  RETURN_IF_ERROR(TakeDevices(options, environment, resolved));
  resolved.cache_directory =
      Text(options.cache_directory, environment, "LOCKSTEP_CACHE_DIR");
  RETURN_IF_ERROR(TakeDeadline(options.join_deadline, environment,
                               "LOCKSTEP_JOIN_DEADLINE_S",
                               resolved.join_deadline));
  RETURN_IF_ERROR(TakePreemption(options, environment, resolved));
  resolved.host_name =
      Text(options.host_name, environment, "LOCKSTEP_HOST_NAME");
  if (resolved.host_name.empty()) {
    resolved.host_name = HostName(cluster, is_rank_given, resolved, facts);
  }
  return resolved;
}

}  // namespace lockstep::internal
