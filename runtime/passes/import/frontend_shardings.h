#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_FRONTEND_SHARDINGS_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_FRONTEND_SHARDINGS_H_

#include "absl/status/statusor.h"
#include "runtime/ir/module.h"
#include "runtime/passes/import/shape_change.h"

namespace lockstep::internal {

// What Shardy writes into mhlo.frontend_attributes on the way through HLO.

// Some programs say the shardings of a manual computation at the call of its
// body. They go to the custom calls around it, which inlining keeps.
void MoveCallAttributes(const Module& module);

// Reads and removes xla.sdy.meshes of the module, xla.sdy.sharding of
// arguments, results and ops, and xla.sdy.sharding_rule of ops; what
// GlobalToLocalShape and LocalToGlobalShape say goes to `changes`. Returns
// whether the module had such meshes. INVALID_ARGUMENT, with place, attribute
// and column: a text that does not parse, a mesh that is declared otherwise.
absl::StatusOr<bool> ReadFrontendShardings(Module& module,
                                           ShapeChanges& changes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_FRONTEND_SHARDINGS_H_
