#include "runtime/mesh/sharding/device_groups.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/attribute_text.h"

namespace lockstep::internal {
namespace {

// The index along `axes` of the device at a row-major position of the mesh.
int64_t IndexAt(int64_t position, absl::Span<const AxisRef> axes,
                const AbstractMesh& mesh) {
  int64_t index = 0;
  for (const AxisRef& ref : axes) {
    int64_t rest = position;
    auto axis = mesh.axes().rbegin();
    for (; axis->name != ref.name(); ++axis) rest /= axis->size;
    index = index * ref.Size(mesh) + ref.IndexOf(rest % axis->size, mesh);
  }
  return index;
}

AxisRef RefOf(const MeshAxis& axis, int64_t begin, int64_t end) {
  if (begin == 1 && end == axis.size) return AxisRef(axis.name);
  return AxisRef(axis.name, begin, end / begin);
}

// The indices of a shard in its tensor, then that of its partial result.
using ShardPlace = std::vector<int64_t>;
using DevicesByPlace = std::map<ShardPlace, std::set<int64_t>>;

DevicesByPlace PlaceDevices(const TensorSharding& sharding,
                            const ShardingMesh& mesh) {
  std::vector<AxisRef> unreduced = sharding.unreduced;
  absl::c_sort(unreduced, [&](const AxisRef& a, const AxisRef& b) {
    return IsBefore(a, b, mesh.abstract());
  });
  DevicesByPlace devices;
  for (int64_t i = 0; i < mesh.device_count(); ++i) {
    ShardPlace place;
    for (const DimSharding& dim : sharding.dims) {
      place.push_back(IndexAt(i, dim.axes, mesh.abstract()));
    }
    place.push_back(IndexAt(i, unreduced, mesh.abstract()));
    devices[std::move(place)].insert(mesh.DeviceAt(i));
  }
  return devices;
}

absl::Status CheckPermutable(const TensorSharding& from,
                             const TensorSharding& to,
                             const ShardingMesh& mesh_from,
                             const ShardingMesh& mesh_to) {
  const auto counts = [](const TensorSharding& sharding,
                         const ShardingMesh& mesh) {
    std::vector<int64_t> counts = ShardCounts(sharding, mesh.abstract());
    counts.push_back(DimSharding{
        .axes = sharding.unreduced,
        .priority = {}}.ShardCount(mesh.abstract()));
    return counts;
  };
  const std::vector<int64_t> counts_from = counts(from, mesh_from);
  const std::vector<int64_t> counts_to = counts(to, mesh_to);
  if (counts_from != counts_to) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the numbers of shards and partial results differ: [",
        NumbersText(counts_from), "] and [", NumbersText(counts_to), "]"));
  }
  const auto devices = [](const ShardingMesh& mesh) {
    std::set<int64_t> devices;
    for (int64_t i = 0; i < mesh.device_count(); ++i) {
      devices.insert(mesh.DeviceAt(i));
    }
    return devices;
  };
  if (devices(mesh_from) == devices(mesh_to)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the meshes have other devices: ", mesh_from.ToString(),
                   " and ", mesh_to.ToString()));
}

}  // namespace

absl::StatusOr<int64_t> ShardIndexOf(int64_t device,
                                     absl::Span<const AxisRef> axes,
                                     const ShardingMesh& mesh) {
  for (int64_t i = 0; i < mesh.device_count(); ++i) {
    if (mesh.DeviceAt(i) == device) return IndexAt(i, axes, mesh.abstract());
  }
  return absl::InvalidArgumentError(
      absl::StrCat("device ", device, " is not in the mesh ", mesh.ToString()));
}

std::vector<AxisRef> RemainingAxes(absl::Span<const AxisRef> axes,
                                   const AbstractMesh& mesh) {
  std::vector<AxisRef> remaining;
  for (const MeshAxis& axis : mesh.axes()) {
    std::map<int64_t, int64_t> taken;  // begins and ends
    for (const AxisRef& ref : axes) {
      if (ref.name() == axis.name) {
        taken[ref.pre_size()] = ref.NextPreSize(mesh);
      }
    }
    int64_t begin = 1;
    for (const auto& [taken_begin, taken_end] : taken) {
      if (taken_begin > begin) {
        remaining.push_back(RefOf(axis, begin, taken_begin));
      }
      begin = taken_end;
    }
    if (begin < axis.size) remaining.push_back(RefOf(axis, begin, axis.size));
  }
  return remaining;
}

std::vector<std::vector<int64_t>> DeviceGroups(absl::Span<const AxisRef> axes,
                                               const ShardingMesh& mesh) {
  const AbstractMesh& abstract = mesh.abstract();
  const std::vector<AxisRef> remaining = RemainingAxes(axes, abstract);
  std::map<int64_t, std::map<int64_t, int64_t>> by_index;
  for (int64_t i = 0; i < mesh.device_count(); ++i) {
    by_index[IndexAt(i, remaining, abstract)][IndexAt(i, axes, abstract)] =
        mesh.DeviceAt(i);
  }
  std::vector<std::vector<int64_t>> groups;
  for (const auto& [index, members] : by_index) {
    std::vector<int64_t>& group = groups.emplace_back();
    for (const auto& [rank, device] : members) group.push_back(device);
  }
  return groups;
}

absl::StatusOr<std::vector<SourceTarget>> PermutePairs(
    const TensorSharding& from, const TensorSharding& to,
    const ShardingMesh& mesh_from, const ShardingMesh& mesh_to) {
  RETURN_IF_ERROR(CheckPermutable(from, to, mesh_from, mesh_to));
  DevicesByPlace places_to = PlaceDevices(to, mesh_to);
  std::map<int64_t, int64_t> target_of;
  for (const auto& [place, sources] : PlaceDevices(from, mesh_from)) {
    const std::set<int64_t>& targets = places_to[place];
    std::vector<int64_t> senders;
    std::vector<int64_t> receivers;
    absl::c_set_difference(sources, targets, std::back_inserter(senders));
    absl::c_set_difference(targets, sources, std::back_inserter(receivers));
    for (const int64_t device : sources) target_of[device] = device;
    for (size_t i = 0; i < senders.size(); ++i) {
      target_of[senders[i]] = receivers[i];
    }
  }
  std::vector<SourceTarget> pairs;
  for (const auto& [source, target] : target_of) {
    pairs.push_back({.source = source, .target = target});
  }
  return pairs;
}

}  // namespace lockstep::internal
