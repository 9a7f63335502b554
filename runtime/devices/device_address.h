#ifndef LOCKSTEP_RUNTIME_DEVICES_DEVICE_ADDRESS_H_
#define LOCKSTEP_RUNTIME_DEVICES_DEVICE_ADDRESS_H_

#include <cstddef>
#include <cstdint>

#include "runtime/base/check.h"

namespace lockstep::internal {

// Bytes of a device's memory, which only the device may read and write; where
// `host_accessible`, the host may too. A value type.
class DeviceAddress {
 public:
  DeviceAddress() = default;
  // For platforms. `bytes`: where the memory lies as the device counts.
  DeviceAddress(std::byte* bytes, int64_t size, bool host_accessible)
      : bytes_(bytes), size_(size), host_accessible_(host_accessible) {}

  int64_t size() const { return size_; }
  bool host_accessible() const { return host_accessible_; }
  // The memory itself. Only where host_accessible().
  std::byte* host_bytes() const {
    LOCKSTEP_CHECK(host_accessible_ || size_ == 0);
    return bytes_;
  }
  // For the device's platform.
  std::byte* device_bytes() const { return bytes_; }

  // The bytes from `offset` on.
  DeviceAddress Slice(int64_t offset, int64_t size) const {
    return DeviceAddress(bytes_ + offset, size, host_accessible_);
  }

 private:
  std::byte* bytes_ = nullptr;
  int64_t size_ = 0;
  bool host_accessible_ = true;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_DEVICE_ADDRESS_H_
