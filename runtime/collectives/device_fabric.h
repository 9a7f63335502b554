#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_DEVICE_FABRIC_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_DEVICE_FABRIC_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/collectives/collective_fabric.h"

namespace lockstep::internal {

// `hosts` with collectives of the devices' own, or `hosts` as it is where what
// those need is missing; then the log says why.
using DeviceFabricFactory =
    std::function<absl::StatusOr<std::unique_ptr<CollectiveFabric>>(
        std::unique_ptr<CollectiveFabric> hosts)>;

// For the devices of `platform`, by its name. Before main; its library needs
// alwayslink. A platform twice is our bug.
bool RegisterDeviceFabric(std::string platform, DeviceFabricFactory factory);

// What connects the devices of `platform`: what is registered for it, over
// `hosts`, else `hosts`. Errors are the factory's.
absl::StatusOr<std::unique_ptr<CollectiveFabric>> MakeDeviceFabric(
    absl::string_view platform, std::unique_ptr<CollectiveFabric> hosts);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_DEVICE_FABRIC_H_
