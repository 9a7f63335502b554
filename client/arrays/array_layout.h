#ifndef LOCKSTEP_CLIENT_ARRAYS_ARRAY_LAYOUT_H_
#define LOCKSTEP_CLIENT_ARRAYS_ARRAY_LAYOUT_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/shard_index.h"
#include "runtime/mesh/shard_layout.h"
#include "runtime/types/box.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// Which part of an array of global shape each device of a mesh has. Immutable;
// arrays of one layout share it.
class ArrayLayout {
 public:
  // INVALID_ARGUMENT: an empty mesh; of Shape::Create and
  // NamedSharding::ShardShape. UNIMPLEMENTED: memory of a kind in which the
  // devices have no arrays.
  static absl::StatusOr<std::shared_ptr<const ArrayLayout>> Create(
      NamedSharding sharding, ElementType type, absl::Span<const int64_t> dims);

  const NamedSharding& sharding() const { return sharding_; }
  const Mesh& mesh() const { return sharding_.mesh(); }
  const Shape& shape() const { return shape_; }
  const Shape& shard_shape() const { return shard_shape_; }
  // How many different shards there are.
  int64_t shard_count() const { return shards_.shard_count(); }
  // By position in the mesh: the number of the shard, what it has, and which of
  // its copies it is.
  int64_t number(int64_t position) const {
    return shards_.shard_numbers()[position];
  }
  ShardIndex index(int64_t position) const { return shards_.Index(position); }
  int64_t replica_id(int64_t position) const { return replica_ids_[position]; }
  // Where the shard lies in the array.
  Box box(int64_t position) const;

  // The positions of `devices`, which are of the mesh.
  std::vector<int64_t> PositionsOf(
      absl::Span<const GlobalDeviceId> devices) const;

 private:
  ArrayLayout(NamedSharding sharding, Shape shape, ShardLayout shards);

  const NamedSharding sharding_;
  const Shape shape_;
  const ShardLayout shards_;
  const Shape shard_shape_;
  const std::vector<int64_t> replica_ids_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_ARRAYS_ARRAY_LAYOUT_H_
