#include "runtime/executor/device_constants.h"

#include <utility>

#include "runtime/base/status.h"
#include "runtime/devices/transfers.h"

namespace lockstep::internal {

absl::StatusOr<std::shared_ptr<const DeviceConstants>> DeviceConstants::Load(
    const Executable& executable, LocalDevice& device) {
  auto constants = std::make_shared<DeviceConstants>();
  std::vector<std::shared_ptr<DeviceEvent>> pending;
  for (const auto& constant : executable.constants()) {
    ASSIGN_OR_RETURN(PendingMemory put,
                     PutOnDevice(device, constant->bytes(),
                                 constant->shape().byte_size(), constant));
    constants->memory_.push_back(std::move(put.memory));
    if (put.ready != nullptr) pending.push_back(std::move(put.ready));
  }
  for (const auto& ready : pending) RETURN_IF_ERROR(ready->Await());
  return constants;
}

}  // namespace lockstep::internal
