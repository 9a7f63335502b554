#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_LISTED_GROUPS_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_LISTED_GROUPS_H_

#include "absl/status/status.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// Replica groups that are said as axes of a mesh become lists of ids: the mesh
// may be one of the module, which a partitioned program does not have. Errors:
// those of MeshAxesGroups.
absl::Status ListReplicaGroups(const Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_LISTED_GROUPS_H_
