#ifndef LOCKSTEP_RUNTIME_BACKENDS_LIVE_RANGES_H_
#define LOCKSTEP_RUNTIME_BACKENDS_LIVE_RANGES_H_

#include <vector>

#include "runtime/backends/schedule.h"
#include "runtime/executable/buffer_planner.h"

namespace lockstep::internal {

// When each tensor of the schedule must keep its bytes. Steps are counted
// depth first. A tensor that lives across a step of a loop body lives through
// the whole loop; what a collective uses, until after the steps that may run
// beside it. Arguments live from -1 on; what is returned lives to the end. A
// tensor that nothing touches has an empty range (end < start).
std::vector<LiveRange> ComputeLiveRanges(const Schedule& schedule);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_LIVE_RANGES_H_
