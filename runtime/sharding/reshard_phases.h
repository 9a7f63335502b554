#ifndef LOCKSTEP_RUNTIME_SHARDING_RESHARD_PHASES_H_
#define LOCKSTEP_RUNTIME_SHARDING_RESHARD_PHASES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/sharding/reshard_plan.h"
#include "runtime/sharding/reshard_state.h"

namespace lockstep::internal {

// The phases of a reshard, in the order of a round (Shardy, reshard to
// collectives). They change the state by at most one collective and return it
// without its result; none if there is nothing to do.

// All axes that only the target has, as far as dims have room for them: a dim
// gets no more shards than its target. In the dim of the target, or in another
// one, from which they are moved.
std::optional<ReshardStep> SliceStep(ReshardState& state);

// If axes are in an order from which moves do not lead to the target, or could
// be replaced by axes of the target, all are put into places anew; each dim
// keeps its number of shards.
std::optional<ReshardStep> PermuteStep(ReshardState& state);

// The last axes of `source` that all go to one other dim. `is_in_order`: only
// if they are the next ones there.
std::optional<ReshardStep> MoveStep(int64_t source, bool is_in_order,
                                    ReshardState& state);

// The last axes of all dims that the target does not have.
std::optional<ReshardStep> GatherStep(ReshardState& state);

// Instead of further rounds, for axes of any sizes: all that is not settled,
// then, where there is nothing of that, all that the target has beside it.
std::optional<ReshardStep> GatherRestStep(ReshardState& state);
std::optional<ReshardStep> SliceRestStep(ReshardState& state);

// A slice or gather along these axes; none if all are empty.
std::optional<ReshardStep> StepAlong(ReshardStep::Kind kind,
                                     std::vector<AxisList> dim_axes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_RESHARD_PHASES_H_
