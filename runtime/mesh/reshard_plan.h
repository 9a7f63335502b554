#ifndef LOCKSTEP_RUNTIME_MESH_RESHARD_PLAN_H_
#define LOCKSTEP_RUNTIME_MESH_RESHARD_PLAN_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/named_sharding.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// How an array goes from one sharding to another, over the same or other
// devices: which pieces of it go from which device to which. Devices are
// *ranks*: first those of the new sharding, by their positions in its mesh,
// then those that the old one alone has. All pieces have one shape, the largest
// by which shards of both shardings can be tiled. What a device has already, it
// gives to itself; what several others have comes from one of its own host, if
// any is. A value type, the same for equal arguments.
class ReshardPlan {
 public:
  struct Piece {
    int32_t source = 0;  // rank
    int32_t target = 0;  // rank
    // Of the piece among those of the source's old shard and of the target's
    // new one, row-major.
    int64_t source_number = 0;
    int64_t target_number = 0;
    friend bool operator==(const Piece&, const Piece&) = default;
  };
  // Pieces that may go at once: no rank is the source, or the target, of two.
  using Round = std::vector<Piece>;

  // INVALID_ARGUMENT: of NamedSharding::ShardShape.
  static absl::StatusOr<ReshardPlan> Create(const NamedSharding& from,
                                            const NamedSharding& to,
                                            absl::Span<const int64_t> shape);

  int64_t rank_count() const { return static_cast<int64_t>(devices_.size()); }
  // By rank.
  absl::Span<const Device> devices() const { return devices_; }
  // How many ranks, the first ones, have a new shard.
  int64_t target_count() const { return target_count_; }
  // Whether the device of the rank has an old shard.
  bool IsSource(int64_t rank) const { return is_source_[rank]; }
  absl::Span<const int64_t> piece_shape() const { return piece_shape_; }
  absl::Span<const int64_t> source_shape() const { return source_shape_; }
  absl::Span<const int64_t> target_shape() const { return target_shape_; }
  // Every piece of every new shard is in one of them, once. None: the array has
  // no elements.
  absl::Span<const Round> rounds() const { return rounds_; }
  // Where the piece begins in the source's old and the target's new shard.
  std::vector<int64_t> SourceStarts(const Piece& piece) const {
    return Starts(piece.source_number, source_shape_);
  }
  std::vector<int64_t> TargetStarts(const Piece& piece) const {
    return Starts(piece.target_number, target_shape_);
  }
  // How many pieces leave their device.
  int64_t moved_count() const { return moved_count_; }

 private:
  ReshardPlan() = default;
  std::vector<int64_t> Starts(int64_t number,
                              absl::Span<const int64_t> shard_shape) const;

  std::vector<Device> devices_;
  int64_t target_count_ = 0;
  std::vector<bool> is_source_;
  std::vector<int64_t> piece_shape_;
  std::vector<int64_t> source_shape_;
  std::vector<int64_t> target_shape_;
  std::vector<Round> rounds_;
  int64_t moved_count_ = 0;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_RESHARD_PLAN_H_
