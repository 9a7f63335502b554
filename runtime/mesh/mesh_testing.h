#ifndef LOCKSTEP_RUNTIME_MESH_MESH_TESTING_H_
#define LOCKSTEP_RUNTIME_MESH_MESH_TESTING_H_

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/simulated_world.h"
#include "runtime/mesh/world.h"

namespace lockstep::internal {

// H hosts of L devices, host-major: H×L.
inline World WorldOf(int32_t hosts, int32_t devices_per_host) {
  return *FlatWorld({.hosts = hosts, .devices_per_host = devices_per_host});
}

// A mesh of the devices of `world` with these ids.
inline Mesh MeshOf(const World& world, absl::Span<const int32_t> ids,
                   std::vector<int64_t> dims,
                   std::vector<std::string> axis_names) {
  DeviceGrid grid{std::move(dims), {}};
  for (int32_t id : ids) {
    grid.devices.push_back(*world.Find(GlobalDeviceId(id)));
  }
  return *Mesh::Create(std::move(grid), std::move(axis_names));
}

// All devices of `world`, in its order.
inline Mesh MeshOf(const World& world, std::vector<int64_t> dims,
                   std::vector<std::string> axis_names) {
  return *Mesh::Create({std::move(dims), world.devices()},
                       std::move(axis_names));
}

inline NamedSharding ShardingOf(Mesh mesh, PartitionSpec spec) {
  return *NamedSharding::Create(std::move(mesh), std::move(spec));
}

inline std::vector<int32_t> IdsOf(absl::Span<const Device> devices) {
  std::vector<int32_t> ids;
  for (const Device& device : devices) ids.push_back(device.id.value());
  return ids;
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_MESH_TESTING_H_
