#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_COLLECTIVES_AS_RESHARDS_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_COLLECTIVES_AS_RESHARDS_H_

#include "absl/status/status.h"
#include "runtime/ir/op.h"

namespace lockstep::internal {

// Collectives of sdy in the region, and in those in it, become a sdy.reshard to
// their out_sharding: which collective that takes follows from the shardings.
// What they reduce are the unreduced axes of their operand that the result does
// not have; where it has none, the operand is the whole value already, also if
// the collective says to sum.
absl::Status MakeReshardsOfCollectives(Region& region);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_COLLECTIVES_AS_RESHARDS_H_
