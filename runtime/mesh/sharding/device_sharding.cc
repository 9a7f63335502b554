#include "runtime/mesh/sharding/device_sharding.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

std::string PartName(const std::string& axis, int64_t pre_size, int64_t size) {
  return absl::StrCat(axis, ":(", pre_size, ")", size);
}

// The parts of `axis`, of which refs of the dimensions are one each.
std::vector<MeshAxis> PartsOf(const MeshAxis& axis,
                              const TensorSharding& sharding,
                              const AbstractMesh& mesh) {
  std::set<int64_t> bounds = {1, axis.size};
  for (const DimSharding& dim : sharding.dims) {
    for (const AxisRef& ref : dim.axes) {
      if (ref.name() != axis.name) continue;
      bounds.insert(ref.pre_size());
      bounds.insert(ref.NextPreSize(mesh));
    }
  }
  if (bounds.size() <= 2) return {axis};
  std::vector<MeshAxis> parts;
  int64_t pre_size = 1;
  for (const int64_t bound : bounds) {
    if (bound == 1) continue;
    const int64_t size = bound / pre_size;
    parts.push_back({PartName(axis.name, pre_size, size), size});
    pre_size = bound;
  }
  return parts;
}

SpecEntry EntryOf(const DimSharding& dim, const AbstractMesh& mesh) {
  std::vector<std::string> names;
  for (const AxisRef& ref : dim.axes) {
    names.push_back(ref.is_whole()
                        ? ref.name()
                        : PartName(ref.name(), ref.pre_size(), ref.Size(mesh)));
  }
  if (names.empty()) return nullptr;
  if (names.size() == 1) return names[0];
  return AxisTuple(std::move(names));
}

}  // namespace

absl::StatusOr<NamedSharding> DeviceSharding(const TensorSharding& sharding,
                                             const ShardingMesh& mesh,
                                             absl::Span<const Device> devices) {
  if (!sharding.unreduced.empty()) {
    return absl::UnimplementedError(
        absl::StrCat("partial results along ", AxisRefsText(sharding.unreduced),
                     " are no array"));
  }
  const auto count = static_cast<int64_t>(devices.size());
  if (!mesh.is_empty() && mesh.device_count() != count) {
    return absl::InvalidArgumentError(
        absl::StrCat("a mesh of ", mesh.device_count(), " devices, ",
                     mesh.ToString(), ", on ", count));
  }
  DeviceGrid grid;
  std::vector<std::string> names;
  for (const MeshAxis& axis : mesh.axes()) {
    for (MeshAxis& part : PartsOf(axis, sharding, mesh.abstract())) {
      grid.dims.push_back(part.size);
      names.push_back(std::move(part.name));
    }
  }
  for (int64_t i = 0; i < count; ++i) {
    grid.devices.push_back(devices[mesh.axes().empty() ? i : mesh.DeviceAt(i)]);
  }
  if (names.empty()) {
    grid.dims = {count};
    names = {"devices"};
  }
  std::vector<SpecEntry> entries;
  for (const DimSharding& dim : sharding.dims) {
    entries.push_back(EntryOf(dim, mesh.abstract()));
  }
  ASSIGN_OR_RETURN(Mesh on_devices,
                   Mesh::Create(std::move(grid), std::move(names)));
  return NamedSharding::Create(std::move(on_devices),
                               PartitionSpec::FromEntries(std::move(entries)));
}

}  // namespace lockstep::internal
