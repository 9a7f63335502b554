#include "runtime/mesh/simulated_world.h"

#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "runtime/base/status.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {
namespace {

// The product of `counts`; INVALID_ARGUMENT when it is no number of devices.
absl::StatusOr<int32_t> DeviceCount(absl::Span<const int64_t> counts) {
  int64_t product = 1;
  for (int64_t count : counts) {
    if (count < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("a simulated world of ", internal::ListText(counts),
                       " devices has a count below 1"));
    }
    product *= count;
    if (product > std::numeric_limits<int32_t>::max()) {
      return absl::InvalidArgumentError(
          absl::StrCat("a simulated world of ", internal::ListText(counts),
                       " devices is larger than device ids are"));
    }
  }
  return static_cast<int32_t>(product);
}

}  // namespace

absl::StatusOr<World> FlatWorld(const FlatWorldOptions& options) {
  ASSIGN_OR_RETURN(const int32_t count,
                   DeviceCount({options.hosts, options.devices_per_host}));
  if (options.slices < 0 ||
      (options.slices > 0 && count % options.slices != 0)) {
    return absl::InvalidArgumentError(
        absl::StrCat(count, " devices cannot be split into ", options.slices,
                     " equal slices"));
  }
  std::vector<Device> devices(count);
  for (int32_t id = 0; id < count; ++id) {
    Device& device = devices[id];
    device.id = GlobalDeviceId(id);
    device.host = HostId(id / options.devices_per_host);
    device.local_id = LocalDeviceId(id % options.devices_per_host);
    device.platform = options.platform;
    device.kind = options.kind;
    if (options.slices > 0) device.slice = id / (count / options.slices);
  }
  return World(std::move(devices));
}

absl::StatusOr<World> TorusWorld(const TorusWorldOptions& options) {
  const std::array<int32_t, 3>& chips = options.chips;
  const std::array<int32_t, 3>& block = options.host_chips;
  ASSIGN_OR_RETURN(
      const int32_t count,
      DeviceCount({chips[0], chips[1], chips[2], options.cores_per_chip}));
  RETURN_IF_ERROR(DeviceCount({block[0], block[1], block[2]}).status());
  for (int i = 0; i < 3; ++i) {
    if (chips[i] % block[i] == 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("blocks of ", block[0], "x", block[1], "x", block[2],
                     " chips per host do not divide a torus of ", chips[0], "x",
                     chips[1], "x", chips[2]));
  }
  std::vector<Device> devices(count);
  std::vector<int32_t> local_counts(count);
  for (int32_t id = 0; id < count; ++id) {
    Device& device = devices[id];
    const int32_t chip = id / options.cores_per_chip;
    const int32_t x = chip % chips[0];
    const int32_t y = chip / chips[0] % chips[1];
    const int32_t z = chip / chips[0] / chips[1];
    const int32_t host =
        x / block[0] +
        chips[0] / block[0] *
            (y / block[1] + chips[1] / block[1] * (z / block[2]));
    device.id = GlobalDeviceId(id);
    device.host = HostId(host);
    device.local_id = LocalDeviceId(local_counts[host]++);
    device.platform = options.platform;
    device.kind = options.kind;
    device.coords = {x, y, z};
    device.core = id % options.cores_per_chip;
  }
  return World(std::move(devices));
}

}  // namespace lockstep
