#include "runtime/collectives/device_fabric.h"

#include <map>
#include <utility>

#include "runtime/base/check.h"

namespace lockstep::internal {
namespace {

std::map<std::string, DeviceFabricFactory, std::less<>>& Factories() {
  static auto* factories =
      new std::map<std::string, DeviceFabricFactory, std::less<>>();
  return *factories;
}

}  // namespace

bool RegisterDeviceFabric(std::string platform, DeviceFabricFactory factory) {
  LOCKSTEP_CHECK(
      Factories().emplace(std::move(platform), std::move(factory)).second);
  return true;
}

absl::StatusOr<std::unique_ptr<CollectiveFabric>> MakeDeviceFabric(
    absl::string_view platform, std::unique_ptr<CollectiveFabric> hosts) {
  auto found = Factories().find(platform);
  if (found == Factories().end()) return hosts;
  return found->second(std::move(hosts));
}

}  // namespace lockstep::internal
