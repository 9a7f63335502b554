#include "runtime/passes/partition/value_sharding.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/ir/shardings.h"
#include "runtime/ops/sdy/manual_computation.h"
#include "runtime/passes/partition/sharding_attributes.h"
#include "runtime/sharding/exported_sharding.h"

namespace lockstep::internal {
namespace {

TensorSharding ArgumentSharding(const Value* value, const std::string& mesh) {
  const Region& region = *value->region();
  const TensorSharding whole =
      UnshardedOn(mesh, RankOf(value->type()), /*is_closed=*/true);
  if (const Function* function = region.parent_function()) {
    const TensorSharding* sharding =
        ShardingOf(function->argument_attributes(value->index()));
    return sharding == nullptr ? whole : ClosedSharding(*sharding);
  }
  const Op& op = *region.parent_op();
  if (op.name() == "stablehlo.while") {
    return ShardingOfValue(op.result(value->index()), mesh);
  }
  if (op.name() == "sdy.manual_computation") {
    return ClosedSharding(BodyArgumentSharding(op, value->index()));
  }
  return whole;
}

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

TensorSharding ShardingOfValue(const Value* value, const std::string& mesh) {
  if (value->defining_op() == nullptr) return ArgumentSharding(value, mesh);
  const TensorSharding* sharding =
      ResultSharding(*value->defining_op(), value->index());
  if (sharding != nullptr) return ClosedSharding(*sharding);
  return UnshardedOn(mesh, RankOf(value->type()), /*is_closed=*/true);
}

bool IsSameSplit(const TensorSharding& a, const TensorSharding& b) {
  if (a.dims.size() != b.dims.size() || a.unreduced != b.unreduced) {
    return false;
  }
  for (size_t i = 0; i < a.dims.size(); ++i) {
    if (a.dims[i].axes != b.dims[i].axes) return false;
  }
  return true;
}

int64_t RankOf(const Type& type) {
  return type.is_tensor() ? type.shape().rank() : 0;
}

}  // namespace lockstep::internal
