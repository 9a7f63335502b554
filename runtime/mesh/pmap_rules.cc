#include "runtime/mesh/pmap_rules.h"

#include <algorithm>
#include <limits>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

template <typename Ids>
std::string ListOf(const Ids& ids) {
  return absl::StrCat("[",
                      absl::StrJoin(ids, ", ",
                                    [](std::string* out, const auto& id) {
                                      absl::StrAppend(out, id.value());
                                    }),
                      "]");
}

std::string Count(int64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

// For messages and comparisons with counts of devices only.
int64_t SaturatingProduct(int64_t a, int64_t b) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) {
    return std::numeric_limits<int64_t>::max();
  }
  return product;
}

std::vector<GlobalDeviceId> DevicesOf(const std::vector<GlobalDeviceId>& list,
                                      const WorldIndex& world, HostId host) {
  std::vector<GlobalDeviceId> devices;
  for (GlobalDeviceId id : list) {
    if (world.HostOf(id) == host) devices.push_back(id);
  }
  return devices;
}

}  // namespace

int64_t HostCount(const WorldIndex& world) { return world.host_count(); }
int64_t DeviceCount(const WorldIndex& world) { return world.device_count(); }
int64_t LocalDeviceCount(const WorldIndex& world, HostId me) {
  return world.device_count(me);
}

std::vector<Device> LocalDevices(const World& world, HostId me) {
  return world.local(me);
}

absl::StatusOr<int64_t> MappedAxisSize(absl::Span<const ArgumentLeaf> leaves) {
  const ArgumentLeaf* first = nullptr;
  for (const ArgumentLeaf& leaf : leaves) {
    if (!leaf.dims.has_value()) continue;
    if (leaf.dims->empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("pmap: argument ", leaf.path,
                       " has rank 0: expected a leading dimension to map"));
    }
    if (first == nullptr) first = &leaf;
    if (leaf.dims->front() != first->dims->front()) {
      return absl::InvalidArgumentError(
          absl::StrCat("pmap: argument ", leaf.path, " has leading size ",
                       leaf.dims->front(), ": expected ", first->dims->front(),
                       ", the leading size of ", first->path));
    }
  }
  if (first != nullptr) return first->dims->front();
  return absl::InvalidArgumentError(absl::StrCat(
      "pmap: no argument has a shape to map: [",
      absl::StrJoin(leaves, ", ",
                    [](std::string* out, const ArgumentLeaf& leaf) {
                      absl::StrAppend(out, leaf.path, ": ", leaf.kind);
                    }),
      "]"));
}

absl::Status ValidateDeviceList(const PmapDevices& devices,
                                const WorldIndex& world) {
  if (!devices.has_value()) return absl::OkStatus();
  absl::flat_hash_set<GlobalDeviceId> seen;
  for (GlobalDeviceId id : *devices) {
    if (!world.HostOf(id).has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("pmap: devices has device ", id.value(), ", which is ",
                       "none of the ", Count(DeviceCount(world), "device")));
    }
    if (!seen.insert(id).second) {
      return absl::InvalidArgumentError(absl::StrCat(
          "pmap: devices has device ", id.value(), " more than once"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> GlobalAxisSize(int64_t axis_size,
                                       const PmapDevices& devices,
                                       const WorldIndex& world, HostId me) {
  if (devices.has_value()) {
    if (!devices->empty()) return static_cast<int64_t>(devices->size());
    return absl::InvalidArgumentError(
        "pmap: devices is empty: leave devices out to use all devices");
  }
  if (HostCount(world) > 1) {
    const int64_t local = LocalDeviceCount(world, me);
    if (axis_size == local) return DeviceCount(world);
    return absl::InvalidArgumentError(absl::StrCat(
        "pmap: axis size ", axis_size, " is not the number of local devices, ",
        local, ": pass as many rows as there are local devices, or pass ",
        "devices to use some of them"));
  }
  if (axis_size >= 1) return axis_size;
  return absl::InvalidArgumentError(
      absl::StrCat("pmap: axis size ", axis_size, ": expected at least 1 row"));
}

absl::Status CheckTakesPart(const PmapDevices& devices, const WorldIndex& world,
                            HostId me) {
  if (!devices.has_value() || !DevicesOf(*devices, world, me).empty()) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "pmap: devices has no device of host ", me.value(), ", only of hosts ",
      ListOf(ParticipatingHosts(devices, world))));
}

std::vector<HostId> ParticipatingHosts(const PmapDevices& devices,
                                       const WorldIndex& world) {
  absl::flat_hash_set<HostId> hosts;
  if (devices.has_value()) {
    for (GlobalDeviceId id : *devices) {
      const std::optional<HostId> host = world.HostOf(id);
      if (host.has_value()) hosts.insert(*host);
    }
  } else {
    for (const Device& device : world.devices()) hosts.insert(device.host);
  }
  std::vector<HostId> sorted(hosts.begin(), hosts.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

absl::Status CheckReplicas(int64_t axis_size, int64_t global_axis_size,
                           int64_t body_replicas, const PmapDevices& devices,
                           const WorldIndex& world, HostId me) {
  if (body_replicas < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("pmap: the mapped body needs ", body_replicas,
                     " replicas: expected at least 1"));
  }
  if (global_axis_size < 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "pmap: global axis size ", global_axis_size, ": expected at least 1"));
  }
  const int64_t replicas = SaturatingProduct(global_axis_size, body_replicas);
  if (!devices.has_value()) {
    if (replicas <= DeviceCount(world)) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        "pmap: ", Count(replicas, "replica"), " required, but only ",
        Count(DeviceCount(world), "device"), " available"));
  }

  RETURN_IF_ERROR(CheckTakesPart(devices, world, me));
  if (replicas != static_cast<int64_t>(devices->size())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "pmap: ", Count(replicas, "replica"), " required, but devices has ",
        Count(static_cast<int64_t>(devices->size()), "device")));
  }
  const std::vector<GlobalDeviceId> mine = DevicesOf(*devices, world, me);
  if (SaturatingProduct(axis_size, body_replicas) ==
      static_cast<int64_t>(mine.size())) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("pmap: axis size ", axis_size, ", but devices has ",
                   Count(static_cast<int64_t>(mine.size()), "device"),
                   " of host ", me.value(), ": ", ListOf(mine)));
}

absl::StatusOr<ReplicaPlacement> ResolveDeviceAssignment(
    int64_t axis_size, int64_t global_axis_size, int64_t body_replicas,
    const PmapDevices& devices, const WorldIndex& world, HostId me) {
  RETURN_IF_ERROR(CheckReplicas(axis_size, global_axis_size, body_replicas,
                                devices, world, me));
  ReplicaPlacement placement;
  placement.num_replicas = global_axis_size * body_replicas;
  placement.num_local_replicas = SaturatingProduct(axis_size, body_replicas);
  if (devices.has_value()) {
    placement.assignment = *devices;
    return placement;
  }
  for (int64_t r = 0; r < placement.num_replicas; ++r) {
    placement.assignment.push_back(world.devices()[r].id);
  }
  return placement;
}

absl::Status CheckLocalReplicas(int64_t local_replicas, int64_t device_count) {
  if (local_replicas <= device_count) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(Count(local_replicas, "local replica"), " to run, but only ",
                   Count(device_count, "device"), " available"));
}

absl::Status CheckAssignmentSize(absl::Span<const GlobalDeviceId> assignment,
                                 int64_t num_replicas) {
  if (static_cast<int64_t>(assignment.size()) == num_replicas) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "device assignment ", ListOf(assignment),
      " is not one device for each of ", Count(num_replicas, "replica")));
}

std::vector<int64_t> LocalReplicas(absl::Span<const GlobalDeviceId> assignment,
                                   const WorldIndex& world, HostId host) {
  std::vector<int64_t> replicas;
  for (size_t r = 0; r < assignment.size(); ++r) {
    if (world.HostOf(assignment[r]) == host) {
      replicas.push_back(static_cast<int64_t>(r));
    }
  }
  return replicas;
}

absl::StatusOr<std::vector<int64_t>> AssignShards(int64_t local_replicas,
                                                  int64_t axis_size) {
  if (axis_size < 1 || local_replicas < 0 || local_replicas % axis_size != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        Count(local_replicas, "local replica"),
        " cannot be divided evenly over ", Count(axis_size, "row")));
  }
  std::vector<int64_t> rows(local_replicas);
  for (int64_t n = 0; n < local_replicas; ++n) {
    rows[n] = n / (local_replicas / axis_size);
  }
  return rows;
}

absl::StatusOr<std::vector<int64_t>> OutputReplicas(int64_t local_replicas,
                                                    int64_t axis_size) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> rows,
                   AssignShards(local_replicas, axis_size));
  std::vector<int64_t> replicas;
  for (int64_t n = 0; n < local_replicas; ++n) {
    if (n == 0 || rows[n] != rows[n - 1]) replicas.push_back(n);
  }
  return replicas;
}

}  // namespace lockstep::internal
