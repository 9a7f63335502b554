#include "runtime/mesh/shard_layout.h"

#include <numeric>
#include <optional>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"

namespace lockstep {
namespace {

// By axis of the mesh: how much a step along it adds to the shard number.
std::vector<int64_t> AxisWeights(const NamedSharding& sharding,
                                 absl::Span<const int64_t> shape) {
  const AbstractMesh& mesh = sharding.mesh().abstract();
  std::vector<int64_t> weights(mesh.rank());
  int64_t weight = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (shape[dim] == 0) continue;  // all its shards are the same, empty part
    const absl::Span<const std::string> axes =
        sharding.spec().entry(static_cast<int64_t>(dim)).axes();
    for (size_t i = axes.size(); i-- > 0;) {
      const int64_t axis = *mesh.FindAxis(axes[i]);
      weights[axis] = weight;
      weight *= mesh.axes()[axis].size;
    }
  }
  return weights;
}

}  // namespace

absl::StatusOr<ShardLayout> ShardLayout::Create(
    const NamedSharding& sharding, absl::Span<const int64_t> shape) {
  ShardLayout layout;
  layout.shape_.assign(shape.begin(), shape.end());
  ASSIGN_OR_RETURN(layout.shard_shape_, sharding.ShardShape(shape));
  ASSIGN_OR_RETURN(layout.shard_counts_,
                   sharding.ShardCounts(static_cast<int64_t>(shape.size())));
  layout.shard_count_ = 1;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (shape[dim] != 0) layout.shard_count_ *= layout.shard_counts_[dim];
  }
  const absl::Span<const MeshAxis> axes = sharding.mesh().axes();
  const std::vector<int64_t> weights = AxisWeights(sharding, shape);
  if (axes.empty()) return layout;
  std::vector<int64_t> numbers = {0};
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    std::vector<int64_t> next;
    next.reserve(numbers.size() * axes[axis].size);
    for (int64_t number : numbers) {
      for (int64_t i = 0; i < axes[axis].size; ++i) {
        next.push_back(number + i * weights[axis]);
      }
    }
    numbers = std::move(next);
  }
  layout.shard_numbers_ = std::move(numbers);
  return layout;
}

ShardIndex ShardLayout::Index(int64_t position) const {
  int64_t number = shard_numbers_[position];
  ShardIndex index(shape_.size());
  for (size_t dim = shape_.size(); dim-- > 0;) {
    if (shard_counts_[dim] == 1) continue;
    if (shape_[dim] == 0) {
      index[dim] = IndexSlice(0, 0);
      continue;
    }
    const int64_t start = number % shard_counts_[dim] * shard_shape_[dim];
    index[dim] = IndexSlice(start, start + shard_shape_[dim]);
    number /= shard_counts_[dim];
  }
  return index;
}

std::vector<int64_t> ShardLayout::ReplicaIds() const {
  std::vector<int64_t> seen(shard_count_);
  std::vector<int64_t> ids;
  ids.reserve(shard_numbers_.size());
  for (int64_t number : shard_numbers_) ids.push_back(seen[number]++);
  return ids;
}

absl::StatusOr<std::vector<std::pair<GlobalDeviceId, ShardIndex>>> DeviceSlices(
    const NamedSharding& sharding, absl::Span<const int64_t> shape) {
  ASSIGN_OR_RETURN(const ShardLayout layout,
                   ShardLayout::Create(sharding, shape));
  std::vector<std::pair<GlobalDeviceId, ShardIndex>> slices;
  slices.reserve(layout.device_count());
  for (int64_t i = 0; i < layout.device_count(); ++i) {
    slices.emplace_back(sharding.mesh().devices()[i].id, layout.Index(i));
  }
  return slices;
}

absl::StatusOr<int64_t> ReplicaId(const NamedSharding& sharding,
                                  absl::Span<const int64_t> shape,
                                  GlobalDeviceId device) {
  const std::optional<int64_t> position = sharding.mesh().PositionOf(device);
  if (!position.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "device ", device.value(), " is not in ", sharding.mesh().ToString()));
  }
  ASSIGN_OR_RETURN(const ShardLayout layout,
                   ShardLayout::Create(sharding, shape));
  return layout.ReplicaIds()[*position];
}

}  // namespace lockstep
