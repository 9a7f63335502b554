#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_CONSTRAINT_CHAINS_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_CONSTRAINT_CHAINS_H_

#include "runtime/ir/module.h"

namespace lockstep::internal {

// A value that goes through two constraints or more, each of which but the last
// has only the next as a user, is read behind the last one by the ops that
// follow in its block, but for the end of the function (Shardy, apply sharding
// constraints). Not where the value has a sharding, or other constraints or
// manual computations ask for one.
void ReadEndsOfConstraintChains(Function& function);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_CONSTRAINT_CHAINS_H_
