#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_HALO_PLAN_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_HALO_PLAN_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep::internal {

// What each device reads of a dim that is split: on the one that has shard i,
// as many elements as `length`, from (step * i + first) / divisor on, rounded
// down. A value type.
struct HaloWindow {
  int64_t step = 0;
  int64_t first = 0;
  int64_t divisor = 1;
  int64_t length = 0;
  // Where not 0: of those elements, the ones from (step * i + last) / divisor +
  // reach on, rounded down, are not looked at.
  int64_t last = 0;
  int64_t reach = 0;
  // Of the whole dim. Windows may reach beyond it.
  int64_t size = 0;
  // Elements outside of these are not looked at.
  int64_t used_begin = 0;
  int64_t used_end = 0;

  int64_t StartOf(int64_t shard) const;
  // Behind the last element that is looked at.
  int64_t EndOf(int64_t shard) const;
  // What is left of the division, which is not negative.
  int64_t RemainderOf(int64_t shard) const;
  // Whether each starts `shard_size` elements beside the one before.
  bool MovesBy(int64_t shard_size) const;
  // Whether one of the windows has a place that is looked at and has no
  // element.
  bool ReachesOutside(int64_t shards) const;
};

// A part of the windows, of the same length for all devices: what each has of
// its own shard, or what some get from others at once.
struct HaloPiece {
  int64_t length = 0;
  // By the receiver's shard: that of the sender, -1 for none.
  std::vector<int64_t> sources;
  // By the sender's shard: where the piece begins in it.
  std::vector<int64_t> starts;
  // By the receiver's shard: where the piece begins in its window, of which it
  // may stick out. The piece of a device without sender is beside its window,
  // or where nothing looks.
  std::vector<int64_t> places;

  bool IsOwn() const;
};

struct HaloPlan {
  std::vector<HaloPiece> pieces;
  // Whether the pieces, one behind the other, are the windows.
  bool is_tiled = false;

  // How many elements along the dim a device sends at most.
  int64_t SentLength() const;
};

// Rounded down, also of negative numbers. `b` is positive.
int64_t FloorDivide(int64_t a, int64_t b);

// The pieces of the windows over shards of `shard_size`, which are as many as
// `shards`. None: windows without elements; exchanges with very many others.
std::optional<HaloPlan> PlanHalo(const HaloWindow& window, int64_t shard_size,
                                 int64_t shards);

// The pieces of shards that are full and begin `amount` elements later, where
// those before follow on the last one. 0 <= amount < shard_size * shards.
HaloPlan PlanRotation(int64_t amount, int64_t shard_size, int64_t shards);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_HALO_PLAN_H_
