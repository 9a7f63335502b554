#ifndef LOCKSTEP_RUNTIME_MESH_DEVICE_GRID_H_
#define LOCKSTEP_RUNTIME_MESH_DEVICE_GRID_H_

#include <cstdint>
#include <vector>

#include "runtime/mesh/world.h"

namespace lockstep {

// Devices in a grid of `dims`, row-major: a mesh before its axes have names. A
// value type.
struct DeviceGrid {
  std::vector<int64_t> dims;
  std::vector<Device> devices;
  friend bool operator==(const DeviceGrid&, const DeviceGrid&) = default;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_DEVICE_GRID_H_
