#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_DEVICE_FABRIC_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_DEVICE_FABRIC_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/collectives/collective_fabric.h"
#include "runtime/collectives/reduction_mode.h"

namespace lockstep::internal {

struct DeviceFabricOptions {
  ReductionMode reduction_mode = ReductionMode::kFast;
};

// Puts collectives that a platform's devices run themselves over those of
// `hosts`, or returns `hosts` where this machine lacks what they need. What
// its options change for other hosts stands in its collectives().
using DeviceFabricFactory =
    std::function<absl::StatusOr<std::unique_ptr<CollectiveFabric>>(
        const DeviceFabricOptions& options,
        std::unique_ptr<CollectiveFabric> hosts)>;

// Before main; its library needs alwayslink. A platform twice is our bug.
bool RegisterDeviceFabric(std::string platform, DeviceFabricFactory factory);

// What workers on `platform` use: `hosts` itself where none is registered for
// it. Errors are the factory's.
absl::StatusOr<std::unique_ptr<CollectiveFabric>> MakeDeviceFabric(
    absl::string_view platform, const DeviceFabricOptions& options,
    std::unique_ptr<CollectiveFabric> hosts);

// Those with a fabric of their own, sorted.
std::vector<std::string> PlatformsWithFabric();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_DEVICE_FABRIC_H_
