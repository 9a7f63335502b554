#ifndef LOCKSTEP_RUNTIME_DEVICES_PLATFORM_H_
#define LOCKSTEP_RUNTIME_DEVICES_PLATFORM_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/devices/local_device.h"

namespace lockstep::internal {

// The devices of one kind that this process uses.
class Platform {
 public:
  // Runs what is queued on the devices. What is asked of their queues
  // afterwards fails, or is inline.
  virtual ~Platform() = default;
  virtual std::string name() const = 0;  // "cpu"
  // In local order.
  virtual const std::vector<std::shared_ptr<LocalDevice>>& devices() const = 0;
  // Whether what one device takes is missing to the others.
  virtual bool devices_share_memory() const = 0;
  // Whether no two devices are the same hardware; else a vendor's collectives
  // refuse them.
  virtual bool has_distinct_devices() const { return true; }
};

struct PlatformOptions {
  // Of platforms that make their devices up.
  int device_count = 1;
  // Of platforms that find their devices: which ones, as the platform counts
  // them. Empty: all there are.
  std::vector<int> ordinals = {};
};

using PlatformFactory = std::function<absl::StatusOr<std::unique_ptr<Platform>>(
    const PlatformOptions& options)>;

// Before main; its library needs alwayslink. A name twice is our bug.
bool RegisterPlatform(std::string name, PlatformFactory factory);

// INVALID_ARGUMENT: not a number of devices, or devices that do not exist.
// NOT_FOUND names the platforms there are.
absl::StatusOr<std::unique_ptr<Platform>> MakePlatform(
    absl::string_view name, const PlatformOptions& options);

// Sorted.
std::vector<std::string> PlatformNames();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_PLATFORM_H_
