#ifndef LOCKSTEP_CLIENT_VISUALIZATION_SHARD_GRID_H_
#define LOCKSTEP_CLIENT_VISUALIZATION_SHARD_GRID_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/arrays/array.h"

namespace lockstep::internal {

// One part of an array: which devices have it.
struct ShardCell {
  std::vector<std::string> lines;  // "CPU 0,1", "host 0"
  int color = 0;                   // 0, 1, ..: cells of one are alike
};

// The parts of an array in at most two dimensions, row by row. A value type.
struct ShardGrid {
  int64_t rows = 1;
  int64_t columns = 1;
  std::vector<ShardCell> cells;

  // As of visualize_array_sharding.
  static absl::StatusOr<ShardGrid> Of(const Array& array);

  // Boxes of lines, every cell of one size.
  std::string ToText(bool has_colors) const;
  std::string ToSvg() const;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_VISUALIZATION_SHARD_GRID_H_
