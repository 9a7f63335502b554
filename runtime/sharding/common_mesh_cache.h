#ifndef LOCKSTEP_RUNTIME_SHARDING_COMMON_MESH_CACHE_H_
#define LOCKSTEP_RUNTIME_SHARDING_COMMON_MESH_CACHE_H_

#include <optional>
#include <string>

#include "absl/container/node_hash_map.h"
#include "absl/status/statusor.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/sharding/common_mesh.h"
#include "runtime/sharding/sharding_projection.h"

namespace lockstep::internal {

// FindCommonMesh for many ops: meshes, whose lists of devices may be long, are
// compared and copied once for each combination of names. Borrows the table,
// which must not change. For one thread.
class CommonMeshCache {
 public:
  explicit CommonMeshCache(const MeshTable& meshes) : meshes_(meshes) {}

  // Null where FindCommonMesh gives none. Until the next call.
  absl::StatusOr<const CommonMesh*> Find(const OpShardings& shardings);

 private:
  const MeshTable& meshes_;
  absl::node_hash_map<std::string, std::optional<CommonMesh>> by_names_;
  // Of shardings that have their meshes in themselves.
  std::optional<CommonMesh> unnamed_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_COMMON_MESH_CACHE_H_
