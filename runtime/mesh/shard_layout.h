#ifndef LOCKSTEP_RUNTIME_MESH_SHARD_LAYOUT_H_
#define LOCKSTEP_RUNTIME_MESH_SHARD_LAYOUT_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/shard_index.h"

namespace lockstep {

// Which part of an array of one shape each device of a sharding holds (B-2,
// B-3). Devices are given by their positions in the mesh. Shards have numbers:
// row-major over the dimensions, so devices with equal numbers hold the same
// part, and numbers ascend like the parts. A value type.
class ShardLayout {
 public:
  // INVALID_ARGUMENT: see NamedSharding::ShardShape.
  static absl::StatusOr<ShardLayout> Create(const NamedSharding& sharding,
                                            absl::Span<const int64_t> shape);

  absl::Span<const int64_t> shape() const { return shape_; }
  // Into how many shards each dimension is split.
  absl::Span<const int64_t> shard_counts() const { return shard_counts_; }
  absl::Span<const int64_t> shard_shape() const { return shard_shape_; }
  int64_t device_count() const {
    return static_cast<int64_t>(shard_numbers_.size());
  }
  // How many different parts there are.
  int64_t shard_count() const { return shard_count_; }
  // By position: the number of the shard that the device holds.
  absl::Span<const int64_t> shard_numbers() const { return shard_numbers_; }
  // B-2: a dimension that is not split has ALL.
  ShardIndex Index(int64_t position) const;
  // B-3, by position: how many devices before it hold the same part.
  std::vector<int64_t> ReplicaIds() const;

 private:
  ShardLayout() = default;

  std::vector<int64_t> shape_;
  std::vector<int64_t> shard_counts_;
  std::vector<int64_t> shard_shape_;
  int64_t shard_count_ = 0;
  std::vector<int64_t> shard_numbers_;
};

// B-2: every device of the mesh with what it holds of an array of `shape`, in
// the order of the mesh. INVALID_ARGUMENT: see ShardLayout::Create.
absl::StatusOr<std::vector<std::pair<GlobalDeviceId, ShardIndex>>> DeviceSlices(
    const NamedSharding& sharding, absl::Span<const int64_t> shape);

// B-3: which of the copies of its shard `device` holds, from 0.
// INVALID_ARGUMENT: also a device that is not in the mesh.
absl::StatusOr<int64_t> ReplicaId(const NamedSharding& sharding,
                                  absl::Span<const int64_t> shape,
                                  GlobalDeviceId device);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_SHARD_LAYOUT_H_
