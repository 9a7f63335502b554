#ifndef LOCKSTEP_RUNTIME_MESH_BUILDERS_MESH_SHARDING_HELPER_H_
#define LOCKSTEP_RUNTIME_MESH_BUILDERS_MESH_SHARDING_HELPER_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// S-1: a mesh of all devices of a world under the axis names of a program. An
// immutable value type.
class MeshShardingHelper {
 public:
  // One of `axis_dims` may be -1: what is left of the devices. The order of the
  // devices is that of BuildGranuleMesh, where `mesh_axis_splitting` allows to
  // split axes of a torus. INVALID_ARGUMENT: other numbers of dims and names;
  // more than one -1; dims that do not make up the number of devices; errors of
  // Mesh::Create. UNIMPLEMENTED: AssignTorusAxes.
  static absl::StatusOr<MeshShardingHelper> Create(
      std::vector<int64_t> axis_dims, std::vector<std::string> axis_names,
      const World& world, bool mesh_axis_splitting = false);

  const Mesh& mesh() const { return mesh_; }

 private:
  explicit MeshShardingHelper(Mesh mesh) : mesh_(std::move(mesh)) {}

  Mesh mesh_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_BUILDERS_MESH_SHARDING_HELPER_H_
