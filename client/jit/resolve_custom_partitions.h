#ifndef LOCKSTEP_CLIENT_JIT_RESOLVE_CUSTOM_PARTITIONS_H_
#define LOCKSTEP_CLIENT_JIT_RESOLVE_CUSTOM_PARTITIONS_H_

#include "absl/status/statusor.h"
#include "client/jit/jit_program.h"

namespace lockstep::internal {

// The program with a manual computation in the place of each call of a function
// with a partitioning of its own: what `partition` says of it, for the
// shardings that propagation gives to the program as it is. One without such
// calls is as it was. Errors of the callbacks and of their answers, with the
// place of custom_partitioning; those of propagation.
absl::StatusOr<JitProgram> ResolveCustomPartitions(JitProgram program);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_JIT_RESOLVE_CUSTOM_PARTITIONS_H_
