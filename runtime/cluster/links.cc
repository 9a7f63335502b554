#include "runtime/cluster/links.h"

#include "runtime/cluster/failure.h"

namespace lockstep::internal {

absl::Status CutLink::ToStatus() const { return AbortedBy(first, cause, ""); }

}  // namespace lockstep::internal
