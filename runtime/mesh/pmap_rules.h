#ifndef LOCKSTEP_RUNTIME_MESH_PMAP_RULES_H_
#define LOCKSTEP_RUNTIME_MESH_PMAP_RULES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/world.h"
#include "runtime/mesh/world_index.h"

namespace lockstep::internal {

// The rules of pmap over several hosts, J-1, J-2, J-3, J-6, J-7, J-8, J-9,
// J-10, J-11 and J-12 of docs/behaviour/pmap.md, as pure functions of the
// arguments, the world and this host's id `me`. Sizes are counts of devices,
// replicas or rows.

// The `devices` argument of pmap: none means all devices.
using PmapDevices = std::optional<std::vector<GlobalDeviceId>>;

// J-1, J-2.
int64_t HostCount(const WorldIndex& world);
int64_t DeviceCount(const WorldIndex& world);
int64_t LocalDeviceCount(const WorldIndex& world, HostId me);
std::vector<Device> LocalDevices(const World& world, HostId me);

// A leaf of the arguments of a pmapped function.
struct ArgumentLeaf {
  std::string path;  // keys joined by "/"
  std::string kind;  // for messages, when there is no shape: "string"
  std::optional<std::vector<int64_t>> dims;
};

// J-3: the common leading size of the leaves that have a shape.
// INVALID_ARGUMENT: none has one; one is a scalar; they differ.
absl::StatusOr<int64_t> MappedAxisSize(absl::Span<const ArgumentLeaf> leaves);

// INVALID_ARGUMENT: a device that the world lacks or that occurs twice. OK for
// no list and for an empty one, which GlobalAxisSize refuses.
absl::Status ValidateDeviceList(const PmapDevices& devices,
                                const WorldIndex& world);

// J-6. INVALID_ARGUMENT: an empty list; on several hosts without a list, an
// axis size other than the local device count; an axis size below 1.
absl::StatusOr<int64_t> GlobalAxisSize(int64_t axis_size,
                                       const PmapDevices& devices,
                                       const WorldIndex& world, HostId me);

// J-9, its first row: FAILED_PRECONDITION when `devices` has none of mine. OK
// without a list.
absl::Status CheckTakesPart(const PmapDevices& devices, const WorldIndex& world,
                            HostId me);

// The hosts that take part, ascending: those of the list, or all.
std::vector<HostId> ParticipatingHosts(const PmapDevices& devices,
                                       const WorldIndex& world);

struct ReplicaPlacement {
  int64_t num_replicas = 0;
  int64_t num_local_replicas = 0;
  // Replica -> device, num_replicas of them: the list, or the first devices of
  // the world.
  std::vector<GlobalDeviceId> assignment;
};

// J-7, J-8, J-9 and J-10. `body_replicas` is what one copy of the mapped body
// needs (1 without a nested pmap). INVALID_ARGUMENT: more replicas than
// devices; a number of replicas other than that of the list; rows of this host
// that are not as many as its devices in the list. FAILED_PRECONDITION:
// CheckTakesPart.
absl::StatusOr<ReplicaPlacement> ResolveDeviceAssignment(
    int64_t axis_size, int64_t global_axis_size, int64_t body_replicas,
    const PmapDevices& devices, const WorldIndex& world, HostId me);

// Only the checks of ResolveDeviceAssignment.
absl::Status CheckReplicas(int64_t axis_size, int64_t global_axis_size,
                           int64_t body_replicas, const PmapDevices& devices,
                           const WorldIndex& world, HostId me);

// J-11, at execution: INVALID_ARGUMENT when there are more local replicas than
// devices.
absl::Status CheckLocalReplicas(int64_t local_replicas, int64_t device_count);
// J-11, compile options: INVALID_ARGUMENT when the assignment is not one
// device per replica.
absl::Status CheckAssignmentSize(absl::Span<const GlobalDeviceId> assignment,
                                 int64_t num_replicas);

// J-12: the replicas on devices of `host`, ascending.
std::vector<int64_t> LocalReplicas(absl::Span<const GlobalDeviceId> assignment,
                                   const WorldIndex& world, HostId host);
// J-12: for the n-th local replica, the row of this host's input that it gets.
// INVALID_ARGUMENT unless local_replicas is a multiple of axis_size.
absl::StatusOr<std::vector<int64_t>> AssignShards(int64_t local_replicas,
                                                  int64_t axis_size);
// J-12: for each output row, the n-th local replica it is read from.
absl::StatusOr<std::vector<int64_t>> OutputReplicas(int64_t local_replicas,
                                                    int64_t axis_size);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_PMAP_RULES_H_
