#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_BUFFER_TABLE_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_BUFFER_TABLE_H_

#include <algorithm>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "runtime/devices/device_address.h"
#include "runtime/executable/buffer_use.h"

namespace lockstep::internal {

// Where the allocations of an executable lie on one device during one launch.
class BufferTable {
 public:
  BufferTable() = default;
  void Append(const DeviceAddress& allocation) {
    allocations_.push_back(allocation);
  }
  // Of each allocation.
  absl::Span<const DeviceAddress> addresses() const { return allocations_; }
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
  absl::InlinedVector<DeviceAddress, 8> allocations_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_BUFFER_TABLE_H_
