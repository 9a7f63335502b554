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
  const bool is_new =
      Factories().emplace(std::move(platform), std::move(factory)).second;
  LOCKSTEP_CHECK(is_new);
  return is_new;
}

absl::StatusOr<std::unique_ptr<CollectiveFabric>> MakeDeviceFabric(
    absl::string_view platform, const DeviceFabricOptions& options,
    std::unique_ptr<CollectiveFabric> hosts) {
  const auto found = Factories().find(platform);
  if (found == Factories().end()) return hosts;
  return found->second(options, std::move(hosts));
}

std::vector<std::string> PlatformsWithFabric() {
  std::vector<std::string> platforms;
  for (const auto& [platform, factory] : Factories()) {
    platforms.push_back(platform);
  }
  return platforms;
}

}  // namespace lockstep::internal
