#include "client/arrays/row_devices.h"

#include <vector>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {

RowDevices DevicesOfRows(const View& view, const AxisQuery& query) {
  std::vector<GlobalDeviceId> all;
  if (query.devices.has_value()) {
    all = *query.devices;
  } else {
    const World world = view.world();
    for (const Device& device : world.devices()) all.push_back(device.id);
  }
  const int64_t count = static_cast<int64_t>(all.size());
  const int64_t mine = static_cast<int64_t>(view.Addressable(all).size());
  const bool must_use_all = query.devices.has_value() || mine < count;
  if (!must_use_all || query.axis_size < 1 || mine <= query.axis_size ||
      mine % query.axis_size != 0) {
    return {1, count};
  }
  const int64_t per_row = mine / query.axis_size;
  return {per_row, count / per_row};
}

absl::Status CheckRowsOnHosts(const View& view,
                              absl::Span<const GlobalDeviceId> devices,
                              int64_t per_row) {
  if (per_row == 1 || view.Addressable(devices).size() == devices.size()) {
    return absl::OkStatus();
  }
  const World world = view.world();
  for (size_t i = 0; i < devices.size(); ++i) {
    const Device* first = world.Find(devices[i - i % per_row]);
    const Device* device = world.Find(devices[i]);
    if (first == nullptr || device == nullptr || first->host == device->host) {
      continue;
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "pmap: row ", i / per_row, " takes ", per_row,
        " devices in turn for the maps within it, but device ",
        first->id.value(), " is of host ", first->host.value(), " and device ",
        device->id.value(), " of host ", device->host.value()));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
