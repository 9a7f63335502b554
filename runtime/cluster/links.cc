#include "runtime/cluster/links.h"

#include "runtime/cluster/failure.h"

namespace lockstep {

absl::Status CutLink::ToStatus() const { return AbortedBy(first, cause, ""); }

}  // namespace lockstep
