#ifndef LOCKSTEP_RUNTIME_PASSES_IMPORT_JOIN_MESHES_H_
#define LOCKSTEP_RUNTIME_PASSES_IMPORT_JOIN_MESHES_H_

#include "absl/status/status.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {

// Shardings on several meshes become ones on one mesh of which the axes of all
// are parts: <["a"=8]> and <["x"=4, "y"=2]> are <["x"=4, "y"=2]>. It is one of
// them where one is fine enough, else a new one with axes "_axis_0", "_axis_1",
// ..; the others stay declared.
//
// Arguments, results and manual computations are where their meshes say. What
// is between them may lie on the devices in the order of the first mesh
// instead, where its own is no order of axes of one mesh. What has no axes has
// no place to keep: it is on the joined mesh.
//
// The names of meshes are those of the table, and different meshes have
// different ones. UNIMPLEMENTED, with the place of the first value on it: a
// mesh of other numbers of devices, in another order, or whose axes are no
// parts of axes of one mesh; an axis whose parts are not products of parts of
// those.
absl::Status JoinMeshes(Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_JOIN_MESHES_H_
