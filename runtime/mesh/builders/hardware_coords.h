#ifndef LOCKSTEP_RUNTIME_MESH_BUILDERS_HARDWARE_COORDS_H_
#define LOCKSTEP_RUNTIME_MESH_BUILDERS_HARDWARE_COORDS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/world.h"
#include "runtime/mesh/world_index.h"

namespace lockstep {

// T-2: where a device is: (x, y, z, core) if it has coordinates, else (host,
// id % devices of its host).
std::vector<int64_t> HardwareCoords(const Device& device,
                                    const WorldIndex& world);

// T-1: how many places there are in each direction when `device` is at the
// greatest one: its coordinates plus one, else (number of hosts, devices of its
// host).
std::vector<int64_t> HardwareBounds(const Device& device,
                                    const WorldIndex& world);

// T-1 of the device with the lexicographically greatest coordinates.
// INVALID_ARGUMENT without devices.
absl::StatusOr<std::vector<int64_t>> HardwareBounds(
    absl::Span<const Device> devices, const WorldIndex& world);

// How many devices each host has. FAILED_PRECONDITION when hosts have different
// numbers, naming two of them, or when there are no devices.
absl::StatusOr<int64_t> DevicesPerHost(const World& world);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_BUILDERS_HARDWARE_COORDS_H_
