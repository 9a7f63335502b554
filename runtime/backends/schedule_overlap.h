#ifndef LOCKSTEP_RUNTIME_BACKENDS_SCHEDULE_OVERLAP_H_
#define LOCKSTEP_RUNTIME_BACKENDS_SCHEDULE_OVERLAP_H_

#include "runtime/backends/schedule.h"
#include "runtime/executable/overlap_plan.h"

namespace lockstep::internal {

// Says of each collective of the schedule how many steps may run beside it, by
// the tensors that they use, so that no memory is used again meanwhile. Before
// the memory is planned.
void PlanScheduleOverlap(Schedule& schedule, const OverlapPolicy& policy);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_BACKENDS_SCHEDULE_OVERLAP_H_
