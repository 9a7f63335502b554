#ifndef LOCKSTEP_CLIENT_GLOBAL_ARRAYS_RESHARD_PROGRAM_H_
#define LOCKSTEP_CLIENT_GLOBAL_ARRAYS_RESHARD_PROGRAM_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "client/tracer/tensor.h"
#include "client/tracer/trace_function.h"
#include "runtime/mesh/reshard_plan.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {

// A plan as a program of one copy for each of its ranks: takes the old shard,
// which comes as `argument` (of the plan's source shape, or the same elements
// in another shape), and gives the new one. Every round of the plan is one
// collective_permute of pieces, which go from device to device directly; where
// every rank has one piece for every rank, all are one all_to_all. What
// ranks without an old shard pass is not looked at, and what those without a
// new one get are zeros, as is all of an array without elements.
absl::StatusOr<TracedFunction> TraceReshard(const ReshardPlan& plan,
                                            const Shape& argument);

// The same within a traced function of one copy for each rank, which are the
// members of its axis kReshardAxis.
Tensor ReshardedShard(const ReshardPlan& plan, const Tensor& old_shard);
inline constexpr char kReshardAxis[] = "devices";

// A program of so many copies, without arguments, that gives zeros.
absl::StatusOr<TracedFunction> TraceZeros(const Shape& shape, int64_t copies);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_GLOBAL_ARRAYS_RESHARD_PROGRAM_H_
