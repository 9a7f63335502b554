#include "client/programs/program_arrays.h"

#include <cstdint>
#include <utility>
#include <variant>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "client/global_arrays/device_put.h"
#include "runtime/base/status.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/sharding/device_sharding.h"

namespace lockstep::internal {
namespace {

absl::StatusOr<std::shared_ptr<const ArrayLayout>> LayoutOn(
    absl::Span<const Device> devices, const ShardingMesh& mesh,
    const TensorLayout& array) {
  const auto* own = std::get_if<ShardingMesh>(&array.sharding.mesh);
  ASSIGN_OR_RETURN(
      NamedSharding sharding,
      DeviceSharding(array.sharding, own == nullptr ? mesh : *own, devices));
  return ArrayLayout::Create(std::move(sharding), array.shape.element_type(),
                             array.shape.dims());
}

// The same shards by `devices`, which are theirs in another order.
absl::StatusOr<std::shared_ptr<Shards>> InOrder(
    const std::shared_ptr<Shards>& shards,
    absl::Span<const GlobalDeviceId> devices) {
  if (absl::MakeConstSpan(shards->devices()) == devices) return shards;
  absl::flat_hash_map<GlobalDeviceId, int64_t> places;
  for (size_t i = 0; i < devices.size(); ++i) {
    places[shards->devices()[i]] = static_cast<int64_t>(i);
  }
  std::vector<int64_t> positions;
  for (GlobalDeviceId device : devices) positions.push_back(places.at(device));
  return shards->Select(positions);
}

}  // namespace

absl::StatusOr<std::vector<std::shared_ptr<const ArrayLayout>>> LayoutsOn(
    absl::Span<const Device> devices, const ShardingMesh& mesh,
    absl::Span<const TensorLayout> arrays, absl::string_view what) {
  std::vector<std::shared_ptr<const ArrayLayout>> layouts;
  for (size_t i = 0; i < arrays.size(); ++i) {
    auto layout = LayoutOn(devices, mesh, arrays[i]);
    if (!layout.ok()) {
      return Annotate(layout.status(), absl::StrCat(what, " ", i));
    }
    layouts.push_back(*std::move(layout));
  }
  return layouts;
}

bool LiesAs(const View& view, const Array& array, const ArrayLayout& layout) {
  return array.shards() != nullptr && array.shards()->view() == &view &&
         array.layout() != nullptr && array.layout()->mesh() == layout.mesh() &&
         SameAxes(array.layout()->sharding().spec(), layout.sharding().spec());
}

absl::StatusOr<std::shared_ptr<Shards>> PlaceWhole(
    const std::shared_ptr<View>& view, const Array& array,
    const ArrayLayout& layout, absl::Span<const GlobalDeviceId> devices,
    ArrayOptions options) {
  if (LiesAs(*view, array, layout)) return InOrder(array.shards(), devices);
  options.view = view;
  ASSIGN_OR_RETURN(const Array placed,
                   device_put(array, layout.sharding(), std::move(options)));
  return InOrder(placed.shards(), devices);
}

absl::StatusOr<Array> WholeArray(const std::shared_ptr<Shards>& shards,
                                 std::shared_ptr<const ArrayLayout> layout) {
  // In the host view there are only those of this host.
  const absl::flat_hash_set<GlobalDeviceId> here(shards->devices().begin(),
                                                 shards->devices().end());
  std::vector<GlobalDeviceId> devices;
  for (const Device& device : layout->mesh().devices()) {
    if (here.contains(device.id)) devices.push_back(device.id);
  }
  ASSIGN_OR_RETURN(std::shared_ptr<Shards> in_mesh, InOrder(shards, devices));
  return Array(std::move(layout), std::move(in_mesh));
}

}  // namespace lockstep::internal
