#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_MESH_TABLE_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_MESH_TABLE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "runtime/mesh/sharding/sharding_mesh.h"

namespace lockstep::internal {

// The meshes that a module declares, in that order, by their symbols without
// '@'. A value type.
class MeshTable {
 public:
  using Entry = std::pair<std::string, ShardingMesh>;

  // Meshes of different sizes may stand side by side; a program that is split
  // uses one. INVALID_ARGUMENT: the name is taken.
  absl::Status Add(std::string name, ShardingMesh mesh);
  // Until one is added. INVALID_ARGUMENT names a mesh that is not declared.
  absl::StatusOr<const ShardingMesh*> Find(absl::string_view name) const;
  // "mesh", "mesh_0", "mesh_1", ..: the first that is not taken.
  std::string FreeName() const;
  bool empty() const { return meshes_.empty(); }
  const std::vector<Entry>& entries() const { return meshes_; }
  friend bool operator==(const MeshTable&, const MeshTable&) = default;

 private:
  // Few: they are searched one by one.
  std::vector<Entry> meshes_;
};

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_MESH_TABLE_H_
