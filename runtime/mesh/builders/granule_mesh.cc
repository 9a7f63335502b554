#include "runtime/mesh/builders/granule_mesh.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/builders/index_grid.h"
#include "runtime/mesh/builders/torus_assignment.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {
namespace {

using internal::IndexGrid;

// The x, y, z and core of a device.
using Place = std::array<int64_t, 4>;

Place PlaceOf(const Device& device) {
  const auto& [x, y, z] = *device.coords;
  return {x, y, z, device.core};
}

// The devices at their places in the smallest box that holds them, without the
// directions in which it has a size of 1.
absl::StatusOr<IndexGrid> PhysicalTorus(absl::Span<const Device> devices) {
  Place low;
  Place high;
  low.fill(std::numeric_limits<int64_t>::max());
  high.fill(std::numeric_limits<int64_t>::min());
  for (const Device& device : devices) {
    if (!device.coords.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("device ", device.id.value(), " of platform ",
                       device.platform, " has no coordinates"));
    }
    const Place place = PlaceOf(device);
    for (size_t i = 0; i < place.size(); ++i) {
      low[i] = std::min(low[i], place[i]);
      high[i] = std::max(high[i], place[i]);
    }
  }
  std::vector<int64_t> box;
  for (size_t i = 0; i < low.size(); ++i) box.push_back(high[i] - low[i] + 1);
  const absl::Status not_a_box = absl::InvalidArgumentError(absl::StrCat(
      devices.size(), " devices do not fill the box of their coordinates, ",
      internal::TupleText(box)));
  double places = 1;  // may be more than 64 bits count
  for (int64_t size : box) places *= static_cast<double>(size);
  if (places != static_cast<double>(devices.size())) return not_a_box;
  std::vector<int64_t> indices(devices.size(), -1);
  for (size_t i = 0; i < devices.size(); ++i) {
    const Place place = PlaceOf(devices[i]);
    int64_t flat = 0;
    for (size_t dim = 0; dim < box.size(); ++dim) {
      flat = flat * box[dim] + place[dim] - low[dim];
    }
    if (indices[flat] >= 0) return not_a_box;
    indices[flat] = static_cast<int64_t>(i);
  }
  std::erase(box, 1);
  return IndexGrid(std::move(box), std::move(indices));
}

absl::StatusOr<DeviceGrid> ArrangeTpus(absl::Span<const int64_t> dims,
                                       absl::Span<const Device> devices,
                                       bool allow_split) {
  ASSIGN_OR_RETURN(const IndexGrid torus, PhysicalTorus(devices));
  absl::StatusOr<TorusAssignment> assignment =
      AssignTorusAxes(torus.dims(), dims);
  if (allow_split && absl::IsUnimplemented(assignment.status())) {
    assignment = AssignSplitTorusAxes(torus.dims(), dims);
  }
  RETURN_IF_ERROR(assignment.status());
  const IndexGrid arranged = internal::ArrangeTorus(*assignment, dims);
  std::vector<int64_t> indices;
  for (int64_t place : arranged.indices()) {
    indices.push_back(torus.indices()[place]);
  }
  return IndexGrid({dims.begin(), dims.end()}, std::move(indices)).Of(devices);
}

}  // namespace

PlatformKind PlatformKindOf(const Device& device) {
  if (device.platform == "gpu" || device.platform == "cuda" ||
      device.platform == "rocm") {
    return PlatformKind::kGpu;
  }
  return device.platform == "tpu" ? PlatformKind::kTpu : PlatformKind::kOther;
}

absl::StatusOr<DeviceGrid> BuildGranuleMesh(absl::Span<const int64_t> dims,
                                            std::vector<Device> devices,
                                            bool allow_split) {
  bool fits = !devices.empty();
  int64_t left = static_cast<int64_t>(devices.size());
  for (int64_t size : dims) {
    fits = fits && size >= 1 && left % size == 0;
    if (fits) left /= size;
  }
  if (!fits || left != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(devices.size(), " devices do not make a mesh of ",
                     internal::ListText(dims)));
  }
  const PlatformKind kind = PlatformKindOf(devices.back());
  if (kind == PlatformKind::kTpu) {
    return ArrangeTpus(dims, devices, allow_split);
  }
  if (kind == PlatformKind::kGpu) {
    std::sort(devices.begin(), devices.end(),
              [](const Device& a, const Device& b) { return a.id < b.id; });
  }
  return DeviceGrid{{dims.begin(), dims.end()}, std::move(devices)};
}

}  // namespace lockstep
