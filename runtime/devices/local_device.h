#ifndef LOCKSTEP_RUNTIME_DEVICES_LOCAL_DEVICE_H_
#define LOCKSTEP_RUNTIME_DEVICES_LOCAL_DEVICE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/devices/device_memory.h"
#include "runtime/devices/device_queue.h"
#include "runtime/mesh/device_info.h"

namespace lockstep::internal {

// A device of this process. Its memory keeps it; work ends with its platform.
// Thread-safe.
class LocalDevice : public std::enable_shared_from_this<LocalDevice> {
 public:
  // In bytes, of blocks from Allocate.
  struct Statistics {
    int64_t in_use = 0;
    int64_t peak = 0;
    int64_t allocations = 0;  // how many so far
  };

  virtual ~LocalDevice() = default;

  // "cpu:0".
  virtual std::string name() const = 0;
  virtual const DeviceInfo& info() const = 0;
  // What people may want to know besides, such as {"compute_capability",
  // "9.0"}: names in lower case, with underscores.
  virtual std::vector<std::pair<std::string, std::string>> details() const {
    return {};
  }

  // A block with undefined content. RESOURCE_EXHAUSTED names the device, what
  // is asked for, what is in use and what there is.
  virtual absl::StatusOr<std::shared_ptr<DeviceMemory>> Allocate(
      int64_t size) = 0;
  // Host memory as a block of this device, without a copy; null where that
  // cannot be. `bytes` does not change, but by the device if it may write to
  // it, while the block is there; then `owner` is let go.
  virtual std::shared_ptr<DeviceMemory> Adopt(
      std::byte* bytes, int64_t size, bool is_writable,
      std::shared_ptr<const void> owner) = 0;
  virtual Statistics statistics() const = 0;

  // Where launches run.
  virtual DeviceQueue& compute_queue() = 0;
  // Where memory is copied beside them.
  virtual DeviceQueue& transfer_queue() = 0;
  // Where collectives run beside them, in one order on all devices of a launch.
  virtual DeviceQueue& collective_queue() = 0;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_LOCAL_DEVICE_H_
