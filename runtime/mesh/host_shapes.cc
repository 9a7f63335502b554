#include "runtime/mesh/host_shapes.h"

#include <utility>

#include "runtime/base/status.h"

namespace lockstep {
namespace {

absl::StatusOr<NamedSharding> LocalSharding(const NamedSharding& sharding,
                                            HostId host) {
  ASSIGN_OR_RETURN(Mesh local_mesh, sharding.mesh().LocalMesh(host));
  return NamedSharding::Create(std::move(local_mesh), sharding.spec());
}

// The shape of an array that `to` splits into the same shards as `from` splits
// one of `shape`.
absl::StatusOr<std::vector<int64_t>> SameShards(const NamedSharding& from,
                                                absl::Span<const int64_t> shape,
                                                const NamedSharding& to) {
  ASSIGN_OR_RETURN(std::vector<int64_t> result, from.ShardShape(shape));
  ASSIGN_OR_RETURN(const std::vector<int64_t> counts,
                   to.ShardCounts(static_cast<int64_t>(shape.size())));
  for (size_t dim = 0; dim < result.size(); ++dim) result[dim] *= counts[dim];
  return result;
}

}  // namespace

absl::StatusOr<std::vector<int64_t>> LocalToGlobalShape(
    const NamedSharding& sharding, HostId host,
    absl::Span<const int64_t> local_shape) {
  ASSIGN_OR_RETURN(const NamedSharding local, LocalSharding(sharding, host));
  return SameShards(local, local_shape, sharding);
}

absl::StatusOr<std::vector<int64_t>> GlobalToLocalShape(
    const NamedSharding& sharding, HostId host,
    absl::Span<const int64_t> global_shape) {
  ASSIGN_OR_RETURN(const NamedSharding local, LocalSharding(sharding, host));
  return SameShards(sharding, global_shape, local);
}

}  // namespace lockstep
