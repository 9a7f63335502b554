#include "runtime/mesh/builders/hardware_coords.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"

namespace lockstep {

std::vector<int64_t> HardwareCoords(const Device& device,
                                    const WorldIndex& world) {
  if (device.coords.has_value()) {
    const auto& [x, y, z] = *device.coords;
    return {x, y, z, device.core};
  }
  const int64_t local_count = world.device_count(device.host);
  return {device.host.value(),
          local_count == 0 ? 0 : device.id.value() % local_count};
}

std::vector<int64_t> HardwareBounds(const Device& device,
                                    const WorldIndex& world) {
  if (!device.coords.has_value()) {
    return {world.host_count(), world.device_count(device.host)};
  }
  std::vector<int64_t> bounds = HardwareCoords(device, world);
  for (int64_t& bound : bounds) ++bound;
  return bounds;
}

absl::StatusOr<std::vector<int64_t>> HardwareBounds(
    absl::Span<const Device> devices, const WorldIndex& world) {
  if (devices.empty()) {
    return absl::InvalidArgumentError("expected devices, found none");
  }
  const auto last = std::max_element(
      devices.begin(), devices.end(), [](const Device& a, const Device& b) {
        return std::tie(a.coords, a.core, a.host, a.id) <
               std::tie(b.coords, b.core, b.host, b.id);
      });
  return HardwareBounds(*last, world);
}

absl::StatusOr<int64_t> DevicesPerHost(const World& world) {
  const WorldIndex index(world);
  if (world.devices().empty()) {
    return absl::FailedPreconditionError("the world has no devices");
  }
  const HostId first = world.devices().front().host;
  for (HostId host : world.hosts()) {
    if (index.device_count(host) == index.device_count(first)) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "expected as many devices on every host, found ",
        index.device_count(first), " on host ", first.value(), " and ",
        index.device_count(host), " on host ", host.value()));
  }
  return index.device_count(first);
}

}  // namespace lockstep
