#include "runtime/mesh/shard_boundaries.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace lockstep {

absl::StatusOr<RowRange> ShardBoundaries(int64_t num_shards, int64_t id,
                                         int64_t size, bool drop_remainder) {
  if (id < 0 || id >= num_shards) {
    return absl::InvalidArgumentError(
        absl::StrCat("shard ", id, " is not one of ", num_shards, " shards"));
  }
  if (size < 0 || (drop_remainder && size < num_shards)) {
    return absl::InvalidArgumentError(
        absl::StrCat(size, " rows cannot be dealt to ", num_shards, " shards",
                     drop_remainder ? " when the remainder is dropped" : ""));
  }
  const int64_t rows = size / num_shards;
  const int64_t longer = drop_remainder ? 0 : size % num_shards;
  const int64_t start = id * rows + std::min(id, longer);
  return RowRange{start, start + rows + (id < longer ? 1 : 0)};
}

}  // namespace lockstep
