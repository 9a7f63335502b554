#include "runtime/mesh/memory_kinds.h"

namespace lockstep {

bool HasHostMemory(absl::string_view platform) {
  return platform != "cuda" && platform != "gpu" && platform != "tpu";
}

std::vector<std::string> MemoryKinds(absl::string_view platform) {
  std::vector<std::string> kinds = {kDeviceMemory, "pinned_host"};
  if (HasHostMemory(platform)) kinds.emplace_back("unpinned_host");
  return kinds;
}

}  // namespace lockstep
