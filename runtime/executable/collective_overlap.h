#ifndef LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_OVERLAP_H_
#define LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_OVERLAP_H_

#include "runtime/executable/overlap_plan.h"
#include "runtime/executable/thunk_sequence.h"

namespace lockstep::internal {

// The same sequence, in which collectives that PlanOverlap lets run beside
// other work, as far as buffer_uses says, are split into a CollectiveStartThunk
// and a CollectiveDoneThunk. Sequences nested in it stay as they are.
ThunkSequence OverlapCollectives(ThunkSequence sequence,
                                 const OverlapPolicy& policy);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_EXECUTABLE_COLLECTIVE_OVERLAP_H_
