#ifndef LOCKSTEP_RUNTIME_DEVICES_DEVICE_MEMORY_H_
#define LOCKSTEP_RUNTIME_DEVICES_DEVICE_MEMORY_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/devices/device_address.h"

namespace lockstep {

class LocalDevice;

// A block of a device's memory, given back by the destructor. Whoever queues
// work on it keeps it until the work is done.
class DeviceMemory {
 public:
  // What every block starts at a multiple of.
  static constexpr int64_t kAlignment = 64;

  virtual ~DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  LocalDevice& device() const { return *device_; }
  DeviceAddress address() const { return address_; }
  int64_t size() const { return address_.size(); }

 protected:
  DeviceMemory(std::shared_ptr<LocalDevice> device, DeviceAddress address)
      : device_(std::move(device)), address_(address) {}

 private:
  const std::shared_ptr<LocalDevice> device_;
  const DeviceAddress address_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_DEVICES_DEVICE_MEMORY_H_
