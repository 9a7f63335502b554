#include "runtime/sharding/common_mesh_cache.h"

#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {
namespace {

// The names of the meshes in order, without repetitions of the one before; none
// if one has no name.
std::optional<std::string> MeshNames(const OpShardings& shardings) {
  std::string names;
  const std::string* last = nullptr;
  for (const auto* tensors : {&shardings.operands, &shardings.results}) {
    for (const std::optional<TensorSharding>& sharding : *tensors) {
      if (!sharding.has_value()) continue;
      const auto* name = std::get_if<std::string>(&sharding->mesh);
      if (name == nullptr) return std::nullopt;
      if (last != nullptr && *last == *name) continue;
      absl::StrAppend(&names, name->size(), " ", *name);
      last = name;
    }
  }
  return names;
}

const CommonMesh* PointerTo(const std::optional<CommonMesh>& mesh) {
  return mesh.has_value() ? &*mesh : nullptr;
}

}  // namespace

absl::StatusOr<const CommonMesh*> CommonMeshCache::Find(
    const OpShardings& shardings) {
  std::optional<std::string> names = MeshNames(shardings);
  if (!names.has_value()) {
    ASSIGN_OR_RETURN(unnamed_, FindCommonMesh(shardings, meshes_));
    return PointerTo(unnamed_);
  }
  const auto found = by_names_.find(*names);
  if (found != by_names_.end()) return PointerTo(found->second);
  ASSIGN_OR_RETURN(std::optional<CommonMesh> mesh,
                   FindCommonMesh(shardings, meshes_));
  return PointerTo(
      by_names_.emplace(*std::move(names), std::move(mesh)).first->second);
}

}  // namespace lockstep::internal
