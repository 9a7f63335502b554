#ifndef LOCKSTEP_RUNTIME_MESH_SIMULATED_WORLD_H_
#define LOCKSTEP_RUNTIME_MESH_SIMULATED_WORLD_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// A world of hosts without a topology, to plan meshes for machines that are not
// there.
struct FlatWorldOptions {
  int32_t hosts = 1;
  int32_t devices_per_host = 1;
  // Slices of equally many devices, in order of the ids; 0: devices have none.
  int32_t slices = 0;
  std::string platform = "cpu";
  std::string kind = "cpu";
};
// Device h * devices_per_host + i is device i of host h. INVALID_ARGUMENT: a
// count below 1, slices that do not divide the devices, more devices than 32
// bits count.
absl::StatusOr<World> FlatWorld(const FlatWorldOptions& options);

// A world of chips in a torus; sizes in chips, and cores of a chip.
struct TorusWorldOptions {
  std::array<int32_t, 3> chips = {1, 1, 1};
  int32_t cores_per_chip = 1;
  // The block of chips of one host; blocks are numbered with x the fastest.
  std::array<int32_t, 3> host_chips = {1, 1, 1};
  std::string platform = "tpu";
  std::string kind = "TPU v4";
};
// The device of core c of chip (x, y, z) has the id c + cores * (x + X * (y + Y
// * z)); the world is ordered by id. INVALID_ARGUMENT: a count below 1, blocks
// of hosts that do not divide the torus, more devices than 32 bits count.
absl::StatusOr<World> TorusWorld(const TorusWorldOptions& options);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_SIMULATED_WORLD_H_
