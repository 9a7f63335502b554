#include "client/visualization/visualize.h"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "client/visualization/shard_grid.h"
#include "runtime/base/status.h"

namespace lockstep {

absl::StatusOr<std::string> visualize_array_sharding(const Array& array,
                                                     PictureFormat format) {
  ASSIGN_OR_RETURN(const internal::ShardGrid grid,
                   internal::ShardGrid::Of(array));
  return format == PictureFormat::kSvg
             ? grid.ToSvg()
             : grid.ToText(format == PictureFormat::kColor);
}

absl::Status print_array_sharding(const Array& array) {
  const char* const no_color = std::getenv("NO_COLOR");
  const bool has_colors =
      isatty(STDOUT_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
  ASSIGN_OR_RETURN(
      const std::string picture,
      visualize_array_sharding(
          array, has_colors ? PictureFormat::kColor : PictureFormat::kText));
  std::cout << picture << std::flush;
  return absl::OkStatus();
}

}  // namespace lockstep
