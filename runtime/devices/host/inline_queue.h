#ifndef LOCKSTEP_RUNTIME_DEVICES_HOST_INLINE_QUEUE_H_
#define LOCKSTEP_RUNTIME_DEVICES_HOST_INLINE_QUEUE_H_

#include <cstdint>
#include <functional>
#include <memory>

#include "runtime/devices/device_queue.h"

namespace lockstep::internal {

// Runs everything at once on the caller's thread; whoever calls keeps the
// order. For memory that the host may access.
class InlineQueue final : public DeviceQueue {
 public:
  bool is_inline() const override { return true; }
  void Copy(WorkScope& scope, DeviceAddress to, DeviceAddress from) override;
  void CopyRows(WorkScope& scope, int64_t rows, int64_t row_size,
                DeviceAddress to, int64_t to_pitch, DeviceAddress from,
                int64_t from_pitch) override;
  void CopyFromHost(WorkScope& scope, DeviceAddress to,
                    const std::byte* from) override;
  void CopyToHost(WorkScope& scope, std::byte* to, DeviceAddress from) override;
  void Fill(WorkScope& scope, DeviceAddress to, std::byte value) override;
  void CallHost(WorkScope& scope, std::function<absl::Status()> call) override;
  void Wait(WorkScope& scope, std::shared_ptr<DeviceEvent> event) override;
  std::shared_ptr<DeviceEvent> Record(WorkScope& scope) override;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_DEVICES_HOST_INLINE_QUEUE_H_
