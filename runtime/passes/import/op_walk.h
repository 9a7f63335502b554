#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_OP_WALK_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_OP_WALK_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "runtime/ir/clone.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// Every op of the region and of those in it, in order, an op before those
// inside of it. Stops at the first error.
absl::Status ForEachOp(const Region& region,
                       absl::FunctionRef<absl::Status(Op&)> visit);
// Of all functions.
absl::Status ForEachOp(const Module& module,
                       absl::FunctionRef<absl::Status(Op&)> visit);

// What the op computes from: its operands, and those of ops inside of it that
// are defined outside of it. Each once, in order.
std::vector<Value*> FreeValues(const Op& op);
// What is used in the region and defined outside of it.
std::vector<Value*> FreeValues(const Region& region);

// The operands that the map says, also of ops inside of this one.
void RemapOperands(Op& op, const ValueMap& map);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_OP_WALK_H_
