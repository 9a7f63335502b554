#include "runtime/passes/import/module_mesh.h"

#include <variant>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/passes/import/sharding_attributes.h"

namespace lockstep::internal {
namespace {

// The names of meshes with axes, in the order in which they are found.
class MeshNames {
 public:
  explicit MeshNames(const MeshTable& meshes) : meshes_(meshes) {}

  absl::Status Add(const TensorSharding& sharding) {
    ASSIGN_OR_RETURN(const ShardingMesh* mesh,
                     MeshOfSharding(sharding, meshes_));
    if (mesh->is_empty()) return absl::OkStatus();
    const auto* name = std::get_if<std::string>(&sharding.mesh);
    if (name == nullptr) {
      return absl::UnimplementedError("a sharding on a mesh without a name");
    }
    if (found_.mesh.is_empty()) {
      found_ = {*name, *mesh};
    } else if (found_.name != *name) {
      return absl::UnimplementedError(absl::StrCat(
          "shardings on several meshes: @", found_.name, " ",
          found_.mesh.ToString(), ", @", *name, " ", mesh->ToString()));
    }
    return absl::OkStatus();
  }

  const ModuleMesh& found() const { return found_; }

 private:
  const MeshTable& meshes_;
  ModuleMesh found_;
};

}  // namespace

absl::StatusOr<ModuleMesh> MeshOfModule(const Module& module) {
  MeshNames names(module.meshes());
  RETURN_IF_ERROR(VisitShardings(module, [&](const TensorSharding& sharding) {
    return names.Add(sharding);
  }));
  if (!names.found().mesh.is_empty()) return names.found();
  for (const auto& [name, mesh] : module.meshes().entries()) {
    if (!mesh.axes().empty()) return ModuleMesh{name, mesh};
  }
  return module.meshes().empty()
             ? ModuleMesh()
             : ModuleMesh{module.meshes().entries()[0].first, ShardingMesh()};
}

int64_t RankOf(const Type& type) {
  return type.is_tensor() ? type.shape().rank() : 0;
}

}  // namespace lockstep::internal
