#ifndef LOCKSTEP_RUNTIME_MESH_DEVICE_INFO_H_
#define LOCKSTEP_RUNTIME_MESH_DEVICE_INFO_H_

#include <cstdint>
#include <string>

namespace lockstep {

// A local device, before it has a global id.
struct DeviceInfo {
  std::string kind;          // the model
  int64_t memory_bytes = 0;  // 0: unknown
  int32_t numa_node = -1;    // -1: unknown
  // Tells physical devices of one machine apart (a PCI address). "": a device
  // that may exist several times, such as a simulated one.
  std::string physical_id;
  friend bool operator==(const DeviceInfo&, const DeviceInfo&) = default;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_DEVICE_INFO_H_
