#ifndef LOCKSTEP_RUNTIME_MESH_HOST_SHAPES_H_
#define LOCKSTEP_RUNTIME_MESH_HOST_SHAPES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/named_sharding.h"

namespace lockstep {

// B-6: the shapes of an array and of the part of it that the devices of one
// host hold, for hosts whose devices are a box of the mesh. Both:
// FAILED_PRECONDITION and INVALID_ARGUMENT of Mesh::LocalMesh; INVALID_ARGUMENT
// of NamedSharding::ShardShape.

// The shape of the array whose part on `host` has `local_shape`.
absl::StatusOr<std::vector<int64_t>> LocalToGlobalShape(
    const NamedSharding& sharding, HostId host,
    absl::Span<const int64_t> local_shape);

// The shape of the part on `host` of an array of `global_shape`.
absl::StatusOr<std::vector<int64_t>> GlobalToLocalShape(
    const NamedSharding& sharding, HostId host,
    absl::Span<const int64_t> global_shape);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_HOST_SHAPES_H_
