#include "client/partitioning/device_memory.h"

#include "absl/strings/str_cat.h"
#include "runtime/mesh/memory_kinds.h"

namespace lockstep::internal {

absl::Status CheckDeviceMemory(const NamedSharding& sharding) {
  if (sharding.memory_kind() == kDeviceMemory) return absl::OkStatus();
  return absl::UnimplementedError(absl::StrCat(
      sharding.ToString(), ": programs compute in '", kDeviceMemory,
      "' memory; move what they take and give with device_put"));
}

}  // namespace lockstep::internal
