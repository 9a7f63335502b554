#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_ANNOTATION_CALLS_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_ANNOTATION_CALLS_H_

#include "absl/status/status.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// The custom calls that say how their operands are sharded become ops of sdy,
// with the sharding that their attribute sdy.sharding has:
//   Sharding, xla.sdy.Sharding    sharding_constraint; nothing, if there is no
//                                 sharding, or one that says nothing and makes
//                                 no shards
//   xla.sdy.FuncResultSharding    the sharding of the result of the function
//                                 that it gives; for other users of it a
//                                 constraint with open dims, since they had the
//                                 result of a function that was inlined
//   xla.sdy.ShardingGroup         sharding_group
//   xla.sdy.PropagationBarrier    propagation_barrier
// INVALID_ARGUMENT, with the place of the call.
absl::Status ReplaceAnnotationCalls(Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_ANNOTATION_CALLS_H_
