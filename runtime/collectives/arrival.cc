#include "runtime/collectives/arrival.h"

namespace lockstep::internal {

absl::string_view CollectiveKindName(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::kAllReduce:
      return "all_reduce";
    case CollectiveKind::kReduceScatter:
      return "reduce_scatter";
    case CollectiveKind::kAllGather:
      return "all_gather";
    case CollectiveKind::kAllToAll:
      return "all_to_all";
    case CollectiveKind::kPermute:
      return "collective_permute";
    case CollectiveKind::kBroadcast:
      return "collective_broadcast";
    case CollectiveKind::kRaggedAllToAll:
      return "ragged_all_to_all";
  }
  return "unknown collective";
}

}  // namespace lockstep::internal
