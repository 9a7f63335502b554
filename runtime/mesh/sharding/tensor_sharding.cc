#include "runtime/mesh/sharding/tensor_sharding.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/mesh/sharding/attribute_text.h"

namespace lockstep::internal {

int64_t DimSharding::ShardCount(const AbstractMesh& mesh) const {
  int64_t count = 1;
  for (const AxisRef& axis : axes) count *= axis.Size(mesh);
  return count;
}

TensorSharding UnshardedOn(std::variant<std::string, ShardingMesh> mesh,
                           int64_t rank, bool is_closed) {
  TensorSharding sharding;
  sharding.mesh = std::move(mesh);
  sharding.dims.resize(rank);
  for (DimSharding& dim : sharding.dims) dim.is_closed = is_closed;
  return sharding;
}

absl::StatusOr<TensorSharding> ShardingOfSpec(
    std::variant<std::string, ShardingMesh> mesh, const PartitionSpec& spec,
    int64_t rank) {
  if (spec.size() > rank) {
    return absl::InvalidArgumentError(
        absl::StrCat(spec.ToString(), " has ", spec.size(),
                     " entries, but the value has rank ", rank));
  }
  TensorSharding sharding =
      UnshardedOn(std::move(mesh), rank, /*is_closed=*/true);
  for (int64_t dim = 0; dim < spec.size(); ++dim) {
    const SpecEntry& entry = spec.entry(dim);
    sharding.dims[dim].is_closed = !entry.is_unconstrained();
    for (const std::string& axis : entry.axes()) {
      sharding.dims[dim].axes.emplace_back(axis);
    }
  }
  return sharding;
}

absl::StatusOr<const ShardingMesh*> MeshOfSharding(
    const TensorSharding& sharding, const MeshTable& meshes) {
  if (const auto* mesh = std::get_if<ShardingMesh>(&sharding.mesh)) return mesh;
  return meshes.Find(std::get<std::string>(sharding.mesh));
}

std::vector<int64_t> ShardCounts(const TensorSharding& sharding,
                                 const AbstractMesh& mesh) {
  std::vector<int64_t> counts;
  for (const DimSharding& dim : sharding.dims) {
    counts.push_back(dim.ShardCount(mesh));
  }
  return counts;
}

absl::StatusOr<std::vector<int64_t>> LocalShape(
    const TensorSharding& sharding, const ShardingMesh& mesh,
    absl::Span<const int64_t> shape) {
  for (const int64_t size : shape) {
    if (size >= 0) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "the shape [", NumbersText(shape), "] has a negative size"));
  }
  std::vector<int64_t> local(shape.begin(), shape.end());
  if (mesh.is_maximal()) return local;
  if (shape.size() != sharding.dims.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the sharding has ", sharding.rank(), " dimensions, but the shape [",
        NumbersText(shape), "] has ", shape.size()));
  }
  const std::vector<int64_t> counts = ShardCounts(sharding, mesh.abstract());
  for (size_t dim = 0; dim < local.size(); ++dim) {
    const bool has_rest = local[dim] % counts[dim] != 0;
    local[dim] = local[dim] / counts[dim] + (has_rest ? 1 : 0);
  }
  return local;
}

}  // namespace lockstep::internal
