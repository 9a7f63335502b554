#include "coordinator/membership/join_checks.h"

#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/cluster/host_ref.h"

namespace lockstep::internal {
namespace {

std::string AddressOf(const WorkerInfo& worker) {
  return absl::StrCat(
      worker.service_address.empty() ? "no address" : worker.service_address,
      ", pid ", worker.pid, ", incarnation ", ToString(worker.incarnation));
}

std::string VersionOf(const WorkerInfo& worker) {
  return absl::StrCat("build ", worker.build, ", protocol ", worker.protocol,
                      ", platform ", worker.platform);
}

// "2 x H100, 1 x A100", in local order.
std::string DeviceList(const WorkerInfo& worker) {
  std::vector<std::string> runs;
  for (size_t i = 0; i < worker.devices.size();) {
    size_t end = i;
    while (end < worker.devices.size() &&
           worker.devices[end].kind == worker.devices[i].kind) {
      ++end;
    }
    runs.push_back(absl::StrCat(end - i, " x ", worker.devices[i].kind));
    i = end;
  }
  return absl::StrCat(worker.platform, " [", absl::StrJoin(runs, ", "), "]");
}

}  // namespace

absl::Status CheckWorkerInfo(const WorkerInfo& worker, int32_t expected_hosts) {
  if (worker.name.empty()) {
    return absl::InvalidArgumentError("a worker joins without a name");
  }
  if (worker.incarnation == Incarnation()) {
    return absl::InvalidArgumentError(
        absl::StrCat("worker '", worker.name, "' joins with incarnation 0"));
  }
  if (worker.devices.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("worker '", worker.name, "' joins without devices"));
  }
  if (worker.requested_rank.has_value() &&
      (*worker.requested_rank < 0 ||
       *worker.requested_rank >= expected_hosts)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "worker '", worker.name, "' requests rank ", *worker.requested_rank,
        ", but the cluster has ", expected_hosts, " hosts"));
  }
  if (worker.expected_hosts.has_value() &&
      *worker.expected_hosts != expected_hosts) {
    return absl::FailedPreconditionError(absl::StrCat(
        "worker '", worker.name, "' expects ", *worker.expected_hosts,
        " hosts, the cluster has ", expected_hosts));
  }
  return absl::OkStatus();
}

absl::Status CheckDistinct(const WorkerInfo& worker, const WorkerInfo& other) {
  if (worker.requested_rank.has_value() &&
      worker.requested_rank == other.requested_rank) {
    return absl::AlreadyExistsError(
        absl::StrCat("rank ", *worker.requested_rank, " is requested by '",
                     worker.name, "' and by '", other.name, "'"));
  }
  if (worker.machine != other.machine) return absl::OkStatus();
  for (const DeviceInfo& device : worker.devices) {
    for (const DeviceInfo& taken : other.devices) {
      if (!device.physical_id.empty() &&
          device.physical_id == taken.physical_id) {
        return absl::AlreadyExistsError(absl::StrCat(
            "device ", device.physical_id, " (", device.kind,
            ") is claimed by '", worker.name, "' and by '", other.name, "'"));
      }
    }
  }
  return absl::OkStatus();
}

absl::Status CheckNetworkGroups(const WorkerInfo& a, const WorkerInfo& b) {
  if (a.network_group.empty() == b.network_group.empty()) {
    return absl::OkStatus();
  }
  const bool a_sets = !a.network_group.empty();
  const WorkerInfo& with = a_sets ? a : b;
  const WorkerInfo& without = a_sets ? b : a;
  return absl::InvalidArgumentError(absl::StrCat(
      "all hosts set a network group or none: '", with.name, "' sets '",
      with.network_group, "', '", without.name, "' sets none"));
}

absl::Status CheckReachable(const WorkerInfo& worker, const WorkerInfo& other) {
  if (!worker.is_on_loopback || worker.network.empty() ||
      other.network.empty() || worker.network == other.network) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "'", worker.name, "' is on loopback, where '", other.name,
      "' of another machine cannot reach it: give it the coordinator's address "
      "as the other machines see it, or an interface (--interface, "
      "LOCKSTEP_INTERFACE)"));
}

absl::Status NameInUse(const WorkerInfo& worker, const WorkerInfo& owner) {
  return absl::AlreadyExistsError(absl::StrCat(
      "the name '", worker.name, "' is in use: by ", AddressOf(owner),
      "; and is asked for by ", AddressOf(worker)));
}

std::vector<int> OddVersions(const std::vector<WorkerInfo>& workers) {
  std::map<std::string, int> counts;
  for (const WorkerInfo& worker : workers) ++counts[VersionOf(worker)];
  std::string usual;
  int usual_count = 0;
  for (const WorkerInfo& worker : workers) {
    const std::string version = VersionOf(worker);
    if (counts[version] > usual_count) {
      usual = version;
      usual_count = counts[version];
    }
  }
  std::vector<int> odd;
  for (size_t i = 0; i < workers.size(); ++i) {
    if (VersionOf(workers[i]) != usual) odd.push_back(static_cast<int>(i));
  }
  return odd;
}

absl::Status VersionMismatch(const std::vector<WorkerInfo>& workers) {
  std::map<std::string, std::vector<std::string>> names;
  for (const WorkerInfo& worker : workers) {
    names[VersionOf(worker)].push_back(worker.name);
  }
  std::vector<std::string> rows;
  for (const auto& [version, hosts] : names) {
    rows.push_back(absl::StrCat(version, ": ", CutList(hosts)));
  }
  return absl::FailedPreconditionError(
      absl::StrCat("hosts of one cluster must be of one version; found ",
                   absl::StrJoin(rows, "; ")));
}

absl::Status CheckReplacement(const WorkerInfo& worker, const WorkerInfo& old) {
  bool is_equal = worker.platform == old.platform &&
                  worker.devices.size() == old.devices.size();
  for (size_t i = 0; is_equal && i < worker.devices.size(); ++i) {
    is_equal = worker.devices[i].kind == old.devices[i].kind;
  }
  if (is_equal) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("'", worker.name, "' returns with other devices: expected ",
                   DeviceList(old), ", found ", DeviceList(worker)));
}

absl::Status ShuttingDown(absl::string_view reason) {
  return absl::FailedPreconditionError(
      absl::StrCat("the cluster is shutting down: ", reason));
}

}  // namespace lockstep::internal
