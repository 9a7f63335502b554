#ifndef LOCKSTEP_RUNTIME_MESH_MEMORY_KINDS_H_
#define LOCKSTEP_RUNTIME_MESH_MEMORY_KINDS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// The kind of memory that every device has, and where programs compute.
inline constexpr char kDeviceMemory[] = "device";

// In what memory arrays of a device may be: "device", which is the default,
// "pinned_host" and, where devices and their host share one memory,
// "unpinned_host".
std::vector<std::string> MemoryKinds(absl::string_view platform);
inline std::vector<std::string> MemoryKinds(const Device& device) {
  return MemoryKinds(device.platform);
}

// Whether the memory of devices of `platform` is that of their host, so that
// one kind is as good as another.
bool HasHostMemory(absl::string_view platform);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_MEMORY_KINDS_H_
