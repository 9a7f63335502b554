#ifndef LOCKSTEP_RUNTIME_SHARDING_COMMON_MESH_H_
#define LOCKSTEP_RUNTIME_SHARDING_COMMON_MESH_H_

#include <optional>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/sharding/sharding_projection.h"

namespace lockstep::internal {

// The mesh of all shardings of an op. A value type.
struct CommonMesh {
  // As the shardings say it: TensorSharding::mesh.
  std::variant<std::string, ShardingMesh> reference;
  ShardingMesh mesh;
};

// The first mesh of the shardings that is not empty; an empty one if there is
// no other. None: no tensor has a sharding, two have different meshes, or the
// mesh is maximal; nothing is propagated through such an op (Shardy). Meshes
// of different names may be equal. INVALID_ARGUMENT: MeshOfSharding.
absl::StatusOr<std::optional<CommonMesh>> FindCommonMesh(
    const OpShardings& shardings, const MeshTable& meshes);

// The same where meshes may differ in the order of their devices: that which
// most of the shardings with axes are on, so that fewest have to change; of
// several the one that is first to have so many.
absl::StatusOr<std::optional<CommonMesh>> MostFrequentMesh(
    const OpShardings& shardings, const MeshTable& meshes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_COMMON_MESH_H_
