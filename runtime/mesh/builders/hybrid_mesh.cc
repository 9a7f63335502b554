#include "runtime/mesh/builders/hybrid_mesh.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/logging.h"
#include "runtime/base/status.h"
#include "runtime/mesh/builders/granule_mesh.h"
#include "runtime/mesh/builders/index_grid.h"
#include "runtime/mesh/builders/inferred_size.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {
namespace {

using internal::ListText;

absl::StatusOr<std::vector<std::vector<Device>>> SplitIntoGranules(
    absl::Span<const Device> devices, const HybridMeshOptions& options) {
  std::vector<std::pair<int32_t, std::vector<Device>>> granules;
  std::map<int32_t, size_t> places;
  for (const Device& device : devices) {
    if (options.granule == Granule::kSlice && !device.slice.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("device ", device.id.value(),
                       " has no slice index; with Granule::kHost the hosts are "
                       "the granules of a hybrid mesh"));
    }
    const int32_t key = options.granule == Granule::kSlice
                            ? *device.slice
                            : device.host.value();
    const auto [place, is_new] = places.emplace(key, granules.size());
    if (is_new) granules.emplace_back(key, std::vector<Device>());
    granules[place->second].second.push_back(device);
  }
  if (options.sort_granules_by_key) {
    std::sort(granules.begin(), granules.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  std::vector<std::vector<Device>> result;
  for (auto& [key, granule] : granules) result.push_back(std::move(granule));
  return result;
}

// Whether positive sizes multiply to `count`.
bool MakesUp(absl::Span<const int64_t> sizes, int64_t count) {
  for (int64_t size : sizes) {
    if (size < 1 || count % size != 0) return false;
    count /= size;
  }
  return count == 1;
}

// Splits `shape` over `granules` on its first axis that is not of size 1.
absl::StatusOr<HybridMeshShape> SplitShape(std::vector<int64_t> shape,
                                           int64_t granules) {
  HybridMeshShape hybrid{shape, std::vector<int64_t>(shape.size(), 1)};
  if (granules == 1) return hybrid;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 1) continue;
    if (shape[axis] % granules != 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "axis ", axis, " of size ", shape[axis], " of the mesh ",
          ListText(shape), " cannot be split over ", granules, " granules"));
    }
    hybrid.ici[axis] /= granules;
    hybrid.dcn[axis] = granules;
    return hybrid;
  }
  return absl::InvalidArgumentError(absl::StrCat("mesh ", ListText(shape),
                                                 " has no axis to split over ",
                                                 granules, " granules"));
}

}  // namespace

absl::StatusOr<DeviceGrid> BuildHybridMesh(absl::Span<const int64_t> ici,
                                           absl::Span<const int64_t> dcn,
                                           absl::Span<const Device> devices,
                                           const HybridMeshOptions& options) {
  if (ici.size() != dcn.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a hybrid mesh needs as many sizes within granules as across them, "
        "found ",
        ListText(ici), " and ", ListText(dcn)));
  }
  ASSIGN_OR_RETURN(std::vector<std::vector<Device>> granules,
                   SplitIntoGranules(devices, options));
  if (!MakesUp(dcn, static_cast<int64_t>(granules.size()))) {
    return absl::InvalidArgumentError(
        absl::StrCat("the devices have ", granules.size(),
                     " granules, which do not make a mesh of ", ListText(dcn)));
  }
  // Devices, granule by granule, in a grid of dcn then ici sizes.
  std::vector<Device> ordered;
  for (std::vector<Device>& granule : granules) {
    ASSIGN_OR_RETURN(DeviceGrid grid,
                     BuildGranuleMesh(ici, std::move(granule)));
    ordered.insert(ordered.end(), grid.devices.begin(), grid.devices.end());
  }
  std::vector<int64_t> dims(dcn.begin(), dcn.end());
  dims.insert(dims.end(), ici.begin(), ici.end());
  std::vector<int64_t> permutation;
  std::vector<int64_t> result;
  for (size_t i = 0; i < ici.size(); ++i) {
    permutation.push_back(static_cast<int64_t>(i));
    permutation.push_back(static_cast<int64_t>(ici.size() + i));
    result.push_back(ici[i] * dcn[i]);
  }
  return internal::IndexGrid::Iota(std::move(dims))
      .Transposed(permutation)
      .Reshaped(std::move(result))
      .Of(ordered);
}

absl::StatusOr<DeviceGrid> BuildDeviceMesh(
    const std::variant<std::vector<int64_t>, HybridMeshShape>& shape,
    absl::Span<const Device> devices) {
  if (devices.empty()) {
    return absl::InvalidArgumentError("expected devices, found none");
  }
  for (const Device& device : devices) {
    if (device.platform == devices[0].platform) continue;
    return absl::UnimplementedError(
        absl::StrCat("a mesh of devices of several platforms: device ",
                     devices[0].id.value(), " of ", devices[0].platform,
                     ", device ", device.id.value(), " of ", device.platform));
  }
  const PlatformKind kind = PlatformKindOf(devices[0]);
  HybridMeshOptions options;
  options.granule =
      kind == PlatformKind::kTpu ? Granule::kSlice : Granule::kHost;
  ASSIGN_OR_RETURN(const auto granules, SplitIntoGranules(devices, options));
  const auto count = static_cast<int64_t>(granules.size());
  const auto device_count = static_cast<int64_t>(devices.size());
  if (const auto* hybrid = std::get_if<HybridMeshShape>(&shape)) {
    if (hybrid->ici.size() != hybrid->dcn.size()) {
      return BuildHybridMesh(hybrid->ici, hybrid->dcn, devices, options);
    }
    ASSIGN_OR_RETURN(const std::vector<int64_t> dcn,
                     internal::InferSize(hybrid->dcn, count));
    ASSIGN_OR_RETURN(const std::vector<int64_t> ici,
                     internal::InferSize(hybrid->ici, device_count / count));
    return BuildHybridMesh(ici, dcn, devices, options);
  }
  ASSIGN_OR_RETURN(
      std::vector<int64_t> sizes,
      internal::InferSize(std::get<std::vector<int64_t>>(shape), device_count));
  absl::StatusOr<HybridMeshShape> split = SplitShape(sizes, count);
  if (!split.ok() && kind == PlatformKind::kGpu) {
    internal::LogWarning(absl::StrCat(split.status().message(),
                                      "; devices are ordered by their ids"));
    return BuildGranuleMesh(sizes, {devices.begin(), devices.end()});
  }
  RETURN_IF_ERROR(split.status());
  return BuildHybridMesh(split->ici, split->dcn, devices, options);
}

}  // namespace lockstep
