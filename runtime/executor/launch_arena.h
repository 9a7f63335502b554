#ifndef LOCKSTEP_RUNTIME_EXECUTOR_LAUNCH_ARENA_H_
#define LOCKSTEP_RUNTIME_EXECUTOR_LAUNCH_ARENA_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/devices/local_device.h"
#include "runtime/mesh/ids.h"

namespace lockstep::internal {

// The memory for temporaries of the launches of one device, which use it one
// after the other, in the order of its queue. Not thread-safe.
class LaunchArena {
 public:
  // `device` outlives it; `id` is what it is called in the cluster.
  LaunchArena(GlobalDeviceId id, LocalDevice& device)
      : id_(id), device_(device) {}

  LocalDevice& device() const { return device_; }

  // Whether a launch that needs `bytes` in all can run. RESOURCE_EXHAUSTED
  // names the device, what is needed and what there is.
  absl::Status CheckFits(int64_t bytes) const;

  // At least `bytes`; their content is undefined. RESOURCE_EXHAUSTED as above.
  absl::StatusOr<std::shared_ptr<DeviceMemory>> Take(int64_t bytes);

 private:
  const GlobalDeviceId id_;
  LocalDevice& device_;
  std::shared_ptr<DeviceMemory> memory_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTOR_LAUNCH_ARENA_H_
