#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_SPLIT_CONSTANTS_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_SPLIT_CONSTANTS_H_

#include "runtime/ir/op.h"

namespace lockstep::internal {

// Gives each use of a constant, an iota, and of what is computed from these
// alone by broadcasts, reshapes, slices and elementwise ops, a copy of its own,
// also in regions: a constant that two ops share would have to be sharded as
// both want it. Scalars and what is used once stay.
void SplitConstants(Region& region);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_SPLIT_CONSTANTS_H_
