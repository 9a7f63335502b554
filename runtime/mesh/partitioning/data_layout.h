#ifndef LOCKSTEP_RUNTIME_MESH_PARTITIONING_DATA_LAYOUT_H_
#define LOCKSTEP_RUNTIME_MESH_PARTITIONING_DATA_LAYOUT_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/partitioning/local_chunker.h"

namespace lockstep {

// Which part of each batch a host reads: the rows of shard `shard_id` of
// `num_shards` equal ones. A value type.
struct DataLayout {
  int64_t batch_size = 0;  // rows of all hosts; 0: none was given
  int64_t shard_id = 0;
  int64_t num_shards = 1;
  // Hosts with the same shard are replicas; one of them is the first.
  bool is_first_host_in_replica_set = true;
  friend bool operator==(const DataLayout&, const DataLayout&) = default;
};

// T-16: how many devices, and how many hosts' chunks, a batch is split over
// when its rows are sharded over `data_axis`. INVALID_ARGUMENT: CheckSpec.
absl::StatusOr<int64_t> DataMeshSize(const AbstractMesh& mesh,
                                     const SpecEntry& data_axis);
absl::StatusOr<int64_t> DataShards(const LocalChunker& chunker,
                                   const SpecEntry& data_axis);

// T-17: the layout for the chunker's host when the rows of a batch are sharded
// over `data_axis`; null: every host reads all rows. `batch_size` 0: one row
// per device. INVALID_ARGUMENT: a batch that the devices do not divide; a
// negative one; CheckSpec.
absl::StatusOr<DataLayout> LayOutData(const LocalChunker& chunker,
                                      const SpecEntry& data_axis,
                                      int64_t batch_size = 0);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_PARTITIONING_DATA_LAYOUT_H_
