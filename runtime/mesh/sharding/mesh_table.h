#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_MESH_TABLE_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_MESH_TABLE_H_

#include <functional>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/mesh/sharding/sharding_mesh.h"

namespace lockstep::internal {

// The meshes that a module declares, by their symbols without '@'. A value
// type.
class MeshTable {
 public:
  // INVALID_ARGUMENT: the name is taken; another mesh has a different number of
  // devices, where neither is empty or maximal.
  absl::Status Add(std::string name, ShardingMesh mesh);
  // Lives as long as the table. INVALID_ARGUMENT names a mesh that is not
  // declared.
  absl::StatusOr<const ShardingMesh*> Find(absl::string_view name) const;

 private:
  std::map<std::string, ShardingMesh, std::less<>> meshes_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_MESH_TABLE_H_
