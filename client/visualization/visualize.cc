#include "client/visualization/visualize.h"

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

}  // namespace lockstep
