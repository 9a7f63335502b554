#ifndef LOCKSTEP_RUNTIME_EXECUTOR_DEVICE_MEMORY_H_
#define LOCKSTEP_RUNTIME_EXECUTOR_DEVICE_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "runtime/mesh/ids.h"

namespace lockstep {

// The memory of one device. Keeps one arena, which the launches of the device
// use one after the other. Used by the thread of the device only.
class DeviceMemory {
 public:
  // `capacity` in bytes; 0: unknown, no check.
  DeviceMemory(GlobalDeviceId device, int64_t capacity);

  // Whether a launch that needs `bytes` in all can run. RESOURCE_EXHAUSTED
  // names the device, what is needed and what there is.
  absl::Status CheckFits(int64_t bytes) const;

  // At least `bytes`, aligned to kBufferAlignment; its content is undefined.
  // Valid until the next call. RESOURCE_EXHAUSTED as above.
  absl::StatusOr<std::byte*> Arena(int64_t bytes);

 private:
  struct Free {
    void operator()(std::byte* p) const;
  };

  const GlobalDeviceId device_;
  const int64_t capacity_;
  int64_t arena_size_ = 0;
  std::unique_ptr<std::byte, Free> arena_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_EXECUTOR_DEVICE_MEMORY_H_
