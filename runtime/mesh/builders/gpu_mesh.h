#ifndef LOCKSTEP_RUNTIME_MESH_BUILDERS_GPU_MESH_H_
#define LOCKSTEP_RUNTIME_MESH_BUILDERS_GPU_MESH_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// T-8: the mesh ('data', 'model') with `num_partitions` devices in 'model',
// which takes devices of one host before it takes several hosts.
// FAILED_PRECONDITION: num_partitions neither divides the devices of a host nor
// is a multiple of them; hosts with different numbers of devices, or no
// devices. INVALID_ARGUMENT: num_partitions below 1, and those of
// BuildHybridMesh.
absl::StatusOr<Mesh> BuildGpuMesh(int64_t num_partitions, const World& world);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_BUILDERS_GPU_MESH_H_
