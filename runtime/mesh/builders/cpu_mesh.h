#ifndef LOCKSTEP_RUNTIME_MESH_BUILDERS_CPU_MESH_H_
#define LOCKSTEP_RUNTIME_MESH_BUILDERS_CPU_MESH_H_

#include "absl/status/statusor.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// T-7: the mesh ('data': hosts, 'model': devices of a host), hosts ascending,
// the devices of each by id modulo their number. FAILED_PRECONDITION: hosts
// with different numbers of devices, or no devices.
absl::StatusOr<Mesh> BuildCpuMesh(const World& world);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_BUILDERS_CPU_MESH_H_
