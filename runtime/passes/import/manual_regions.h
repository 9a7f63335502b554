#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_MANUAL_REGIONS_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_MANUAL_REGIONS_H_

#include "absl/status/status.h"
#include "runtime/ir/module.h"
#include "runtime/passes/import/shape_change.h"

namespace lockstep::internal {

// Makes an sdy.manual_computation of what stands between custom calls that make
// shards and those that join them; none of them remains.
//
// Programs mark only the ends, at which values change their shapes. Which ops
// are between them follows from what flows from op to op, not from where they
// stand: whatever depends on shards is inside, and shards that meet make one
// computation. So independent parts of one call of shard_map become
// computations of their own, which compute the same. Of what does not depend on
// shards but is used inside,
//   - constants and what is computed of them alone, partition_id too, is
//     computed again inside: its value is the same there;
//   - what has an effect besides moves inside;
//   - any other value becomes an operand of which each device has all.
// Inputs that nothing uses are dropped. Computations within computations, and
// in regions of other ops, are made in the same way.
//
// `changes` holds all of these custom calls; operands of SPMDFullToShardShape
// come from sharding constraints or have sdy.sharding. UNIMPLEMENTED, with the
// place of an op: what is of a computation is used before its end or, but for
// whole values, outside of it; shards with other manual axes meet; the axes are
// not known. INVALID_ARGUMENT: shapes of shards do not follow from the
// shardings.
absl::Status BuildManualRegions(Module& module, const ShapeChanges& changes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_MANUAL_REGIONS_H_
