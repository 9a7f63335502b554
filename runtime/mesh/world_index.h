#ifndef LOCKSTEP_RUNTIME_MESH_WORLD_INDEX_H_
#define LOCKSTEP_RUNTIME_MESH_WORLD_INDEX_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// Answers about a world in constant time. Refers to the world, which must
// outlive it.
class WorldIndex {
 public:
  // Implicit: a rule that is asked once takes the world itself.
  WorldIndex(const World& world) : world_(&world) {  // NOLINT
    hosts_of_devices_.reserve(world.devices().size());
    for (const Device& device : world.devices()) {
      hosts_of_devices_.emplace(device.id, device.host);
      ++device_counts_[device.host];
    }
  }

  const std::vector<Device>& devices() const { return world_->devices(); }
  int64_t device_count() const {
    return static_cast<int64_t>(world_->devices().size());
  }
  int64_t host_count() const {
    return static_cast<int64_t>(device_counts_.size());
  }
  int64_t device_count(HostId host) const {
    const auto it = device_counts_.find(host);
    return it == device_counts_.end() ? 0 : it->second;
  }
  // nullopt when the world lacks the device.
  std::optional<HostId> HostOf(GlobalDeviceId device) const {
    const auto it = hosts_of_devices_.find(device);
    if (it == hosts_of_devices_.end()) return std::nullopt;
    return it->second;
  }

 private:
  const World* world_;
  absl::flat_hash_map<GlobalDeviceId, HostId> hosts_of_devices_;
  absl::flat_hash_map<HostId, int64_t> device_counts_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_WORLD_INDEX_H_
