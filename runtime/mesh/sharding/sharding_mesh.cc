#include "runtime/mesh/sharding/sharding_mesh.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/mesh/sharding/attribute_text.h"

namespace lockstep::internal {
namespace {

bool IsIota(absl::Span<const int64_t> ids) {
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] != static_cast<int64_t>(i)) return false;
  }
  return true;
}

absl::Status CheckDeviceOfMaximalMesh(absl::Span<const int64_t> device_ids) {
  if (device_ids.size() > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("a mesh without axes has at most 1 device id, found ",
                     device_ids.size()));
  }
  if (device_ids[0] < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the device id of a mesh without axes is negative: ", device_ids[0]));
  }
  return absl::OkStatus();
}

absl::Status CheckDeviceIds(const AbstractMesh& axes,
                            absl::Span<const int64_t> device_ids) {
  if (axes.size() != static_cast<int64_t>(device_ids.size())) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the axes of the mesh make ", axes.size(), " devices, but it has ",
        device_ids.size(), " device ids"));
  }
  std::vector<int64_t> sorted(device_ids.begin(), device_ids.end());
  std::sort(sorted.begin(), sorted.end());
  if (IsIota(sorted)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the device ids of a mesh of ", sorted.size(),
                   " devices are not those from 0 to ", sorted.size() - 1,
                   ": sorted, they are [", NumbersText(sorted), "]"));
}

}  // namespace

absl::StatusOr<ShardingMesh> ShardingMesh::Create(
    AbstractMesh axes, std::vector<int64_t> device_ids) {
  if (!device_ids.empty()) {
    const absl::Status status = axes.empty()
                                    ? CheckDeviceOfMaximalMesh(device_ids)
                                    : CheckDeviceIds(axes, device_ids);
    if (!status.ok()) return status;
    if (!axes.empty() && IsIota(device_ids)) device_ids.clear();
  }
  ShardingMesh mesh;
  mesh.axes_ = std::move(axes);
  mesh.device_ids_ = std::move(device_ids);
  return mesh;
}

std::string ShardingMesh::ToString() const {
  return absl::StrCat(
      "<[",
      absl::StrJoin(axes(), ", ",
                    [](std::string* out, const MeshAxis& axis) {
                      absl::StrAppend(out, QuotedAttribute(axis.name), "=",
                                      axis.size);
                    }),
      "]",
      device_ids_.empty()
          ? ""
          : absl::StrCat(", device_ids=[", NumbersText(device_ids_), "]"),
      ">");
}

}  // namespace lockstep::internal
