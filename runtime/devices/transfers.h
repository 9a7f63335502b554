#ifndef LOCKSTEP_RUNTIME_DEVICES_TRANSFERS_H_
#define LOCKSTEP_RUNTIME_DEVICES_TRANSFERS_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "runtime/devices/local_device.h"

namespace lockstep::internal {

// Memory and the moment from which on its content is there; null: now.
struct PendingMemory {
  std::shared_ptr<DeviceMemory> memory;
  std::shared_ptr<DeviceEvent> ready;
};

// Memory of `device` with what is at `bytes`: in place where that can be, else
// a copy, which is on its way when this returns. `bytes` does not change until
// `owner` is let go.
absl::StatusOr<PendingMemory> PutOnDevice(LocalDevice& device,
                                          const std::byte* bytes, int64_t size,
                                          std::shared_ptr<const void> owner);
// The same of bytes that only `owner` has: the device may write to them.
absl::StatusOr<PendingMemory> GiveToDevice(LocalDevice& device,
                                           std::byte* bytes, int64_t size,
                                           std::shared_ptr<const void> owner);

// Begins to copy memory whose content is there to the host. The event says when
// it is at `to`; null: now. `memory` and `owner`, whose bytes those are, are
// held until then.
std::shared_ptr<DeviceEvent> BeginFetchFromDevice(
    std::shared_ptr<const DeviceMemory> memory, std::byte* to,
    std::shared_ptr<const void> owner);

// Copies memory whose content is there to the host, and waits for it.
absl::Status FetchFromDevice(const DeviceMemory& memory, std::byte* to);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_TRANSFERS_H_
