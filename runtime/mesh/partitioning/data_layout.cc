#include "runtime/mesh/partitioning/data_layout.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "runtime/base/status.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/named_sharding.h"

namespace lockstep {
namespace {

// Over the axes of `data_axis`; `counts`: by axis of the mesh.
absl::StatusOr<int64_t> Product(absl::Span<const int64_t> counts,
                                const AbstractMesh& mesh,
                                const SpecEntry& data_axis) {
  RETURN_IF_ERROR(CheckSpec(mesh, PartitionSpec(data_axis)));
  int64_t product = 1;
  for (const std::string& axis : data_axis.axes()) {
    product *= counts[*mesh.FindAxis(axis)];
  }
  return product;
}

}  // namespace

absl::StatusOr<int64_t> DataMeshSize(const AbstractMesh& mesh,
                                     const SpecEntry& data_axis) {
  return Product(mesh.axis_sizes(), mesh, data_axis);
}

absl::StatusOr<int64_t> DataShards(const LocalChunker& chunker,
                                   const SpecEntry& data_axis) {
  return Product(chunker.num_chunks(), chunker.mesh().abstract(), data_axis);
}

absl::StatusOr<DataLayout> LayOutData(const LocalChunker& chunker,
                                      const SpecEntry& data_axis,
                                      int64_t batch_size) {
  if (batch_size < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("the batch size is negative: ", batch_size));
  }
  if (data_axis.is_null()) {
    return DataLayout{
        .batch_size = batch_size,
        .is_first_host_in_replica_set = chunker.host() == HostId(0)};
  }
  DataLayout layout;
  ASSIGN_OR_RETURN(const int64_t mesh_size,
                   DataMeshSize(chunker.mesh().abstract(), data_axis));
  ASSIGN_OR_RETURN(layout.num_shards, DataShards(chunker, data_axis));
  ASSIGN_OR_RETURN(layout.shard_id, chunker.ShardId(data_axis));
  ASSIGN_OR_RETURN(const int64_t replica_id, chunker.ReplicaId(data_axis));
  layout.is_first_host_in_replica_set = replica_id == 0;
  layout.batch_size = batch_size == 0 ? mesh_size : batch_size;
  // Shards divide the devices, and so the batch: chunks have one size.
  if (layout.batch_size % mesh_size != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the batch size ", layout.batch_size, " is not a multiple of the ",
        mesh_size, " devices that it is split over"));
  }
  return layout;
}

}  // namespace lockstep
