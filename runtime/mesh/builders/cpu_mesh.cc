#include "runtime/mesh/builders/cpu_mesh.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/mesh/builders/hardware_coords.h"

namespace lockstep {

absl::StatusOr<Mesh> BuildCpuMesh(const World& world) {
  ASSIGN_OR_RETURN(const int64_t local_count, DevicesPerHost(world));
  std::vector<Device> devices = world.devices();
  std::sort(devices.begin(), devices.end(),
            [&](const Device& a, const Device& b) {
              return std::tuple(a.host, a.id.value() % local_count, a.id) <
                     std::tuple(b.host, b.id.value() % local_count, b.id);
            });
  const int64_t host_count = static_cast<int64_t>(devices.size()) / local_count;
  return Mesh::Create({{host_count, local_count}, std::move(devices)},
                      {"data", "model"});
}

}  // namespace lockstep
