#include "runtime/sharding/common_mesh.h"

#include "runtime/base/status.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

absl::StatusOr<std::optional<CommonMesh>> FindCommonMesh(
    const OpShardings& shardings, const MeshTable& meshes) {
  std::optional<CommonMesh> common;
  for (const auto* tensors : {&shardings.operands, &shardings.results}) {
    for (const std::optional<TensorSharding>& sharding : *tensors) {
      if (!sharding.has_value()) continue;
      ASSIGN_OR_RETURN(const ShardingMesh* const mesh,
                       MeshOfSharding(*sharding, meshes));
      if (!common.has_value() || common->mesh.is_empty()) {
        common = CommonMesh{.reference = sharding->mesh, .mesh = *mesh};
      } else if (!mesh->is_empty() && *mesh != common->mesh) {
        return std::nullopt;
      }
    }
  }
  if (common.has_value() && common->mesh.is_maximal()) return std::nullopt;
  return common;
}

}  // namespace lockstep::internal
