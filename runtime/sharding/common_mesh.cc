#include "runtime/sharding/common_mesh.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "runtime/base/status.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/exported_sharding.h"

namespace lockstep::internal {
namespace {

struct ShardingOnMesh {
  const TensorSharding* sharding = nullptr;
  const ShardingMesh* mesh = nullptr;

  CommonMesh AsCommonMesh() const {
    return {.reference = sharding->mesh, .mesh = *mesh};
  }
};

// Operands first.
absl::StatusOr<std::vector<ShardingOnMesh>> ShardingsOnMeshes(
    const OpShardings& shardings, const MeshTable& meshes) {
  std::vector<ShardingOnMesh> found;
  for (const auto* tensors : {&shardings.operands, &shardings.results}) {
    for (const std::optional<TensorSharding>& sharding : *tensors) {
      if (!sharding.has_value()) continue;
      ASSIGN_OR_RETURN(const ShardingMesh* const mesh,
                       MeshOfSharding(*sharding, meshes));
      found.push_back({&*sharding, mesh});
    }
  }
  return found;
}

using MeshComparison =
    absl::FunctionRef<bool(const ShardingMesh& a, const ShardingMesh& b)>;

// The first that is not empty; none if there is none, if another is not the
// same, or if it is maximal.
std::optional<CommonMesh> FirstMesh(
    const std::vector<ShardingOnMesh>& shardings, MeshComparison are_same) {
  const ShardingOnMesh* first = nullptr;
  for (const ShardingOnMesh& next : shardings) {
    if (first == nullptr || first->mesh->is_empty()) {
      first = &next;
    } else if (!next.mesh->is_empty() && !are_same(*next.mesh, *first->mesh)) {
      return std::nullopt;
    }
  }
  if (first == nullptr || first->mesh->is_maximal()) return std::nullopt;
  return first->AsCommonMesh();
}

bool HaveSameAxes(const ShardingMesh& a, const ShardingMesh& b) {
  return a.is_maximal() == b.is_maximal() && a.abstract() == b.abstract();
}

}  // namespace

absl::StatusOr<std::optional<CommonMesh>> FindCommonMesh(
    const OpShardings& shardings, const MeshTable& meshes) {
  ASSIGN_OR_RETURN(const std::vector<ShardingOnMesh> found,
                   ShardingsOnMeshes(shardings, meshes));
  return FirstMesh(found, [](const ShardingMesh& a, const ShardingMesh& b) {
    return a == b;
  });
}

absl::StatusOr<std::optional<CommonMesh>> MostFrequentMesh(
    const OpShardings& shardings, const MeshTable& meshes) {
  ASSIGN_OR_RETURN(const std::vector<ShardingOnMesh> found,
                   ShardingsOnMeshes(shardings, meshes));
  std::optional<CommonMesh> best = FirstMesh(found, HaveSameAxes);
  if (!best.has_value()) return best;
  std::vector<std::pair<const ShardingOnMesh*, int>> counts;
  int best_count = 0;
  for (const ShardingOnMesh& sharding : found) {
    if (!HasAxes(*sharding.sharding)) continue;
    auto count = std::ranges::find_if(counts, [&](const auto& seen) {
      return *seen.first->mesh == *sharding.mesh;
    });
    if (count == counts.end()) {
      count = counts.insert(counts.end(), {&sharding, 0});
    }
    if (++count->second > best_count) {
      best_count = count->second;
      best = count->first->AsCommonMesh();
    }
  }
  return best;
}

}  // namespace lockstep::internal
