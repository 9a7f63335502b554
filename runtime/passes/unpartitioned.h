#ifndef LOCKSTEP_RUNTIME_PASSES_UNPARTITIONED_H_
#define LOCKSTEP_RUNTIME_PASSES_UNPARTITIONED_H_

#include "absl/status/status.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// UNIMPLEMENTED, with the place and the sharding, when a module of several
// partitions asks for a value to be split among them: nothing here splits
// programs yet, and each device would compute the whole. Shardings that give
// every device the whole are no obstacle.
absl::Status CheckUnpartitioned(const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_UNPARTITIONED_H_
