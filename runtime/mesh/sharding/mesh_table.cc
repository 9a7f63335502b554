#include "runtime/mesh/sharding/mesh_table.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/mesh/sharding/attribute_text.h"

namespace lockstep::internal {

absl::Status MeshTable::Add(std::string name, ShardingMesh mesh) {
  if (Find(name).ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("mesh ", SymbolText(name), " is declared twice"));
  }
  meshes_.emplace_back(std::move(name), std::move(mesh));
  return absl::OkStatus();
}

std::string MeshTable::FreeName() const {
  std::string name = "mesh";
  for (int i = 0; Find(name).ok(); ++i) name = absl::StrCat("mesh_", i);
  return name;
}

absl::StatusOr<const ShardingMesh*> MeshTable::Find(
    absl::string_view name) const {
  for (const Entry& entry : meshes_) {
    if (entry.first == name) return &entry.second;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("mesh ", SymbolText(name), " is not declared"));
}

}  // namespace lockstep::internal
