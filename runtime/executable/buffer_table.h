#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_BUFFER_TABLE_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_BUFFER_TABLE_H_

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/devices/device_address.h"
#include "runtime/executable/buffer_use.h"

namespace lockstep {

// Where the allocations of an executable lie on one device during one launch.
class BufferTable {
 public:
  BufferTable() = default;
  // By allocation.
  explicit BufferTable(std::vector<DeviceAddress> allocations)
      : allocations_(std::move(allocations)) {}

  const std::vector<DeviceAddress>& allocations() const { return allocations_; }
  DeviceAddress Address(const BufferSlice& slice) const {
    return allocations_[slice.allocation].Slice(slice.offset, slice.size);
  }
  bool host_accessible() const {
    return std::all_of(allocations_.begin(), allocations_.end(),
                       [](const DeviceAddress& allocation) {
                         return allocation.host_accessible();
                       });
  }

 private:
  std::vector<DeviceAddress> allocations_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_BUFFER_TABLE_H_
