#ifndef LOCKSTEP_RUNTIME_PASSES_PARTITION_PASSES_H_
#define LOCKSTEP_RUNTIME_PASSES_PARTITION_PASSES_H_

#include <functional>

#include "absl/strings/string_view.h"
#include "runtime/ir/module.h"
#include "runtime/ir/pass_manager.h"

namespace lockstep::internal {

// The passes that make a program over whole tensors one over shards, in the
// order in which they run, behind those of passes/import (partition_module.h).
// All of them need a verified module and leave one, are deterministic, and take
// time linear in the number of ops and, but for the groups of collectives,
// independent of that of devices.

// Every value gets a sharding. `observer`, if there is one, sees the module
// after each user priority ("propagation_after_user_priority_1") with the
// shardings as propagation has them then: open, with axes that are kept for
// later ones.
Pass PropagateShardings(
    std::function<void(absl::string_view stage, const Module&)> observer =
        nullptr);
// Every op is at shardings at which it can compute, with sdy.reshard where
// values come with others, and sdy.all_reduce behind what gives partial
// results. Constraints, groups and barriers are gone.
Pass InsertReshards();
// Types become those of shards, and reshards collectives. No sharding is left.
Pass LowerToShards();

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_PARTITION_PASSES_H_
