#include "client/arrays/array_layout.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

absl::Status CheckMemory(const NamedSharding& sharding) {
  if (sharding.memory_kind() == kDeviceMemory) return absl::OkStatus();
  for (const Device& device : sharding.mesh().devices()) {
    if (HasHostMemory(device.platform)) continue;
    return absl::UnimplementedError(absl::StrCat(
        sharding.ToString(), ": arrays of ", ToString(device), " are in its '",
        kDeviceMemory, "' memory only, not in '", sharding.memory_kind(), "'"));
  }
  return absl::OkStatus();
}

}  // namespace

ArrayLayout::ArrayLayout(NamedSharding sharding, Shape shape,
                         ShardLayout shards)
    : sharding_(std::move(sharding)),
      shape_(std::move(shape)),
      shards_(std::move(shards)),
      shard_shape_(shape_.element_type(), shards_.shard_shape()),
      replica_ids_(shards_.ReplicaIds()) {}

absl::StatusOr<std::shared_ptr<const ArrayLayout>> ArrayLayout::Create(
    NamedSharding sharding, ElementType type, absl::Span<const int64_t> dims) {
  if (sharding.mesh().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(sharding.ToString(), " has no devices"));
  }
  RETURN_IF_ERROR(CheckMemory(sharding));
  ASSIGN_OR_RETURN(Shape shape, Shape::Create(type, dims));
  ASSIGN_OR_RETURN(ShardLayout shards, ShardLayout::Create(sharding, dims));
  return std::shared_ptr<const ArrayLayout>(new ArrayLayout(
      std::move(sharding), std::move(shape), std::move(shards)));
}

Box ArrayLayout::box(int64_t position) const {
  Box box;
  for (IndexSlice slice : index(position)) box.starts.push_back(slice.start());
  box.sizes.assign(shard_shape_.dims().begin(), shard_shape_.dims().end());
  return box;
}

std::vector<int64_t> ArrayLayout::PositionsOf(
    absl::Span<const GlobalDeviceId> devices) const {
  std::vector<int64_t> positions;
  positions.reserve(devices.size());
  for (GlobalDeviceId device : devices) {
    positions.push_back(*mesh().PositionOf(device));
  }
  return positions;
}

}  // namespace lockstep::internal
