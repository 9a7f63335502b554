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
// Manual computations are where their meshes say, and so are arguments and
// results: on devices in an order that axes of the joined mesh do not have,
// they say their own (device_order.h). What is between them lies on the devices
// in the order of the first mesh then. What has no axes has no place to keep:
// it is on the joined mesh.
//
// The names of meshes are those of the table, and different meshes have
// different ones. UNIMPLEMENTED, with the place of the first value on it: a
// mesh of other numbers of devices, or whose axes are no parts of axes of one
// mesh; manual computations on devices in orders of different axes; an axis
// whose parts are not products of parts of those.
absl::Status JoinMeshes(Module& module);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_PASSES_IMPORT_JOIN_MESHES_H_
