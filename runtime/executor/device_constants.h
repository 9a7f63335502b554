#ifndef LOCKSTEP_RUNTIME_EXECUTOR_DEVICE_CONSTANTS_H_
#define LOCKSTEP_RUNTIME_EXECUTOR_DEVICE_CONSTANTS_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/devices/local_device.h"
#include "runtime/executable/executable.h"

namespace lockstep::internal {

// The constants of an executable in the memory of a device: where it can use
// the executable's own, those. Immutable.
class DeviceConstants {
 public:
  // Waits until they are there. RESOURCE_EXHAUSTED when they do not fit.
  static absl::StatusOr<std::shared_ptr<const DeviceConstants>> Load(
      const Executable& executable, LocalDevice& device);

  DeviceAddress address(int constant) const {
    return memory_[constant]->address();
  }

 private:
  std::vector<std::shared_ptr<DeviceMemory>> memory_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTOR_DEVICE_CONSTANTS_H_
