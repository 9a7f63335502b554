#ifndef LOCKSTEP_CLIENT_MESHES_H_
#define LOCKSTEP_CLIENT_MESHES_H_

// How devices become meshes: for CPUs, GPUs and toruses of chips, over one
// network or several; worlds that are not there, to plan with; and which part
// of an array each device and host has. Pure functions: no device is touched.

#include "runtime/mesh/addressable_slices.h"         // IWYU pragma: export
#include "runtime/mesh/builders/cpu_mesh.h"          // IWYU pragma: export
#include "runtime/mesh/builders/default_mesh.h"      // IWYU pragma: export
#include "runtime/mesh/builders/gpu_mesh.h"          // IWYU pragma: export
#include "runtime/mesh/builders/granule_mesh.h"      // IWYU pragma: export
#include "runtime/mesh/builders/hybrid_mesh.h"       // IWYU pragma: export
#include "runtime/mesh/builders/submesh_mesh.h"      // IWYU pragma: export
#include "runtime/mesh/builders/torus_assignment.h"  // IWYU pragma: export
#include "runtime/mesh/builders/world_mesh.h"        // IWYU pragma: export
#include "runtime/mesh/host_shapes.h"                // IWYU pragma: export
#include "runtime/mesh/mesh.h"                       // IWYU pragma: export
#include "runtime/mesh/named_sharding.h"             // IWYU pragma: export
#include "runtime/mesh/partition_spec.h"             // IWYU pragma: export
#include "runtime/mesh/shard_boundaries.h"           // IWYU pragma: export
#include "runtime/mesh/shard_layout.h"               // IWYU pragma: export
#include "runtime/mesh/simulated_world.h"            // IWYU pragma: export
#include "runtime/mesh/world.h"                      // IWYU pragma: export

#endif  // LOCKSTEP_CLIENT_MESHES_H_
