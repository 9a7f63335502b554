#ifndef LOCKSTEP_RUNTIME_COLLECTIVES_IN_PROCESS_LOCAL_COLLECTIVE_H_
#define LOCKSTEP_RUNTIME_COLLECTIVES_IN_PROCESS_LOCAL_COLLECTIVE_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "runtime/collectives/arrival.h"

namespace lockstep::internal {

// Runs one collective whose members are all here: `arrivals[k]` is rank k's.
// The arrivals match each other. Writes every result. Errors: the reduction's;
// INTERNAL when the sources and targets of a permute contradict each other.
absl::Status RunLocalCollective(absl::Span<const Arrival* const> arrivals);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_COLLECTIVES_IN_PROCESS_LOCAL_COLLECTIVE_H_
