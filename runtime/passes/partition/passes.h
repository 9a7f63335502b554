#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_PASSES_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_PASSES_H_

#include "runtime/ir/pass_manager.h"

namespace lockstep::internal {

// The passes that make a program over whole tensors one over shards, in the
// order in which they run, behind those of passes/import (partition_module.h).
// All of them need a verified module and leave one, are deterministic, and take
// time linear in the number of ops and, but for the groups of collectives,
// independent of that of devices.

// Every value gets a sharding.
Pass PropagateShardings();
// Every op is at shardings at which it can compute, with sdy.reshard where
// values come with others, and sdy.all_reduce behind what gives partial
// results. Constraints, groups and barriers are gone.
Pass InsertReshards();
// Types become those of shards, and reshards collectives. No sharding is left.
Pass LowerToShards();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_PASSES_H_
