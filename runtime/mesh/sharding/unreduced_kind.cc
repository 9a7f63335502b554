#include "runtime/mesh/sharding/unreduced_kind.h"

namespace lockstep::internal {

absl::string_view ReductionName(UnreducedKind kind) {
  switch (kind) {
    case UnreducedKind::kSum:
      return "sum";
    case UnreducedKind::kMax:
      return "max";
    case UnreducedKind::kMin:
      return "min";
  }
  return "sum";
}

}  // namespace lockstep::internal
