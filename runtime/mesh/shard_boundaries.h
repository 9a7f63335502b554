#ifndef LOCKSTEP_RUNTIME_MESH_SHARD_BOUNDARIES_H_
#define LOCKSTEP_RUNTIME_MESH_SHARD_BOUNDARIES_H_

#include <cstdint>

#include "absl/status/statusor.h"

namespace lockstep {

// Rows [start, stop).
struct RowRange {
  int64_t start = 0;
  int64_t stop = 0;
  friend bool operator==(const RowRange&, const RowRange&) = default;
};

// L-4: the rows of shard `id` when `size` rows are dealt to `num_shards` shards
// in order, as evenly as can be; with `drop_remainder` all shards get equally
// many, and the last rows belong to nobody. INVALID_ARGUMENT: an id outside [0,
// num_shards), a negative size, and with drop_remainder fewer rows than shards.
absl::StatusOr<RowRange> ShardBoundaries(int64_t num_shards, int64_t id,
                                         int64_t size, bool drop_remainder);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_SHARD_BOUNDARIES_H_
