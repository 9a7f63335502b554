#ifndef LOCKSTEP_RUNTIME_MESH_BUILDERS_WORLD_MESH_H_
#define LOCKSTEP_RUNTIME_MESH_BUILDERS_WORLD_MESH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// S-1: a mesh of all devices of a world under the axis names of a program. One
// of `axis_dims` may be -1: what is left of the devices. The order of the
// devices is that of BuildGranuleMesh, where `mesh_axis_splitting` allows to
// split axes of a torus. INVALID_ARGUMENT: other numbers of dims and names;
// more than one -1; dims that do not make up the number of devices; errors of
// Mesh::Create. UNIMPLEMENTED: AssignTorusAxes.
absl::StatusOr<Mesh> BuildWorldMesh(std::vector<int64_t> axis_dims,
                                    std::vector<std::string> axis_names,
                                    const World& world,
                                    bool mesh_axis_splitting = false);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_BUILDERS_WORLD_MESH_H_
