#ifndef LOCKSTEP_RUNTIME_MESH_WORLD_H_
#define LOCKSTEP_RUNTIME_MESH_WORLD_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "runtime/mesh/ids.h"

namespace lockstep {

// One device of the cluster.
struct Device {
  GlobalDeviceId id;
  HostId host;
  LocalDeviceId local_id;
  std::string platform;       // "cpu", "cuda"
  std::string kind;           // the model: "NVIDIA H100"
  int64_t memory_bytes = 0;   // 0: unknown
  int32_t numa_node = -1;     // -1: unknown
  std::string network_group;  // "": unset
  // The place of its chip (x, y, z) in a torus of chips, for platforms that
  // have one, and the core of the chip. Not on the wire: only worlds that a
  // program or a test makes by itself have these and `slice`.
  std::optional<std::array<int32_t, 3>> coords = std::nullopt;
  int32_t core = 0;
  // Which of several toruses, connected by the slower network.
  std::optional<int32_t> slice = std::nullopt;
  friend bool operator==(const Device&, const Device&) = default;
};

// All devices of all hosts in the global order (docs/behaviour/pmap.md): as the
// coordinator assigns them, host-major with dense ids. A value type.
class World {
 public:
  World() = default;
  explicit World(std::vector<Device> devices) : devices_(std::move(devices)) {}
  // `devices_per_host[h]` devices on host h, of platform "cpu".
  static World HostMajor(const std::vector<int>& devices_per_host) {
    std::vector<Device> devices;
    for (size_t h = 0; h < devices_per_host.size(); ++h) {
      for (int i = 0; i < devices_per_host[h]; ++i) {
        Device device;
        device.id = GlobalDeviceId(static_cast<int32_t>(devices.size()));
        device.host = HostId(static_cast<int32_t>(h));
        device.local_id = LocalDeviceId(i);
        device.platform = device.kind = "cpu";
        devices.push_back(std::move(device));
      }
    }
    return World(std::move(devices));
  }

  const std::vector<Device>& devices() const { return devices_; }
  int device_count() const { return static_cast<int>(devices_.size()); }
  // The device with `id`, or null.
  const Device* Find(GlobalDeviceId id) const {
    const auto place = static_cast<size_t>(id.value());  // ids are dense
    if (place < devices_.size() && devices_[place].id == id) {
      return &devices_[place];
    }
    for (const Device& device : devices_) {
      if (device.id == id) return &device;
    }
    return nullptr;
  }
  // The devices of `host`, in global order.
  std::vector<Device> local(HostId host) const {
    std::vector<Device> devices;
    for (const Device& device : devices_) {
      if (device.host == host) devices.push_back(device);
    }
    return devices;
  }
  // The distinct host ids, in order of their first device. Need not be dense.
  std::vector<HostId> hosts() const {
    std::vector<HostId> hosts;
    absl::flat_hash_set<HostId> known;
    for (const Device& device : devices_) {
      if (known.insert(device.host).second) hosts.push_back(device.host);
    }
    return hosts;
  }
  int host_count() const { return static_cast<int>(hosts().size()); }

  friend bool operator==(const World&, const World&) = default;

 private:
  std::vector<Device> devices_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_WORLD_H_
