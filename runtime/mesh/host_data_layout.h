#ifndef LOCKSTEP_RUNTIME_MESH_HOST_DATA_LAYOUT_H_
#define LOCKSTEP_RUNTIME_MESH_HOST_DATA_LAYOUT_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/named_sharding.h"

namespace lockstep {

// How the data that one host has of an array lies beside the shards of its
// devices. Shapes are element counts per dimension. A value type.
struct HostDataLayout {
  std::vector<int64_t> global_shape;
  std::vector<int64_t> data_shape;
  std::vector<int64_t> shard_shape;
  // By device of the host, in the order of the mesh: where its shard begins in
  // the data, per dimension.
  std::vector<std::vector<int64_t>> starts;
  friend bool operator==(const HostDataLayout&,
                         const HostDataLayout&) = default;
};

// M-7, for every mesh. Per dimension the data is either all of it, or the
// different slices of the host's devices, ascending and without gaps. Without
// `global_shape` a dimension has to be uniform over the hosts (M-8), and its
// global size is the local one times the number of distinct sets of slices.
// `host` none: the caller has all devices, and the data is the whole array.
//
// INVALID_ARGUMENT: a dimension that is not uniform; a size that is neither the
// global one nor that of the slices; other ranks; of NamedSharding::ShardShape.
// FAILED_PRECONDITION: the host has no device in the mesh.
absl::StatusOr<HostDataLayout> LayOutHostData(
    const NamedSharding& sharding, std::optional<HostId> host,
    absl::Span<const int64_t> data_shape,
    std::optional<absl::Span<const int64_t>> global_shape);

// T-27: the data is that of the host's local mesh, which must be a box of the
// mesh. Errors of LocalToGlobalShape.
absl::StatusOr<HostDataLayout> LayOutLocalMesh(
    const NamedSharding& sharding, HostId host,
    absl::Span<const int64_t> data_shape);

// L-1: the data is cut along dimension 0 into equal blocks, one for each device
// of the host in the order of the mesh; the array has `host_count` times as
// many rows. `sharding` splits dimension 0 over all axes, and nothing else.
// INVALID_ARGUMENT: the devices do not divide the rows; rows that are not those
// of the shards. FAILED_PRECONDITION: the host has no device in the mesh.
absl::StatusOr<HostDataLayout> LayOutRows(const NamedSharding& sharding,
                                          HostId host, int64_t host_count,
                                          absl::Span<const int64_t> data_shape);

// S-10: the data is cut along `batch_dim` into equal parts, one for each of
// `local`, the caller's devices in the order of the world; the array has
// `host_count` times the batch, and a device's block in it is its position in
// the mesh. `sharding` splits that dimension over all axes, and nothing else.
// INVALID_ARGUMENT: the devices do not divide the batch; one is not in the
// mesh; parts that are not the shards.
absl::StatusOr<HostDataLayout> LayOutBatch(
    const NamedSharding& sharding, int64_t batch_dim,
    absl::Span<const GlobalDeviceId> local, int64_t host_count,
    absl::Span<const int64_t> data_shape);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_HOST_DATA_LAYOUT_H_
