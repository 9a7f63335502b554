#ifndef LOCKSTEP_RUNTIME_DEVICES_DEVICE_MEMORY_H_
#define LOCKSTEP_RUNTIME_DEVICES_DEVICE_MEMORY_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/devices/device_address.h"

namespace lockstep::internal {

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
  // Whether the device may change it; false for host memory that others read.
  bool is_writable() const { return is_writable_; }

 protected:
  DeviceMemory(std::shared_ptr<LocalDevice> device, DeviceAddress address,
               bool is_writable = true)
      : device_(std::move(device)),
        address_(address),
        is_writable_(is_writable) {}

 private:
  const std::shared_ptr<LocalDevice> device_;
  const DeviceAddress address_;
  const bool is_writable_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_DEVICE_MEMORY_H_
