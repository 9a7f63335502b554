#ifndef LOCKSTEP_RUNTIME_MESH_PARTITIONING_PARTITIONER_H_
#define LOCKSTEP_RUNTIME_MESH_PARTITIONING_PARTITIONER_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/partitioning/data_layout.h"
#include "runtime/mesh/partitioning/local_chunker.h"
#include "runtime/mesh/partitioning/logical_axes.h"
#include "runtime/mesh/partitioning/partitioner_options.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// How one host takes part in the training of a model that is partitioned over
// the devices of a world: the mesh, the host's chunk of it, and the part of
// each batch that the host reads. Pure; mesh and chunks are computed once. A
// value type.
class Partitioner {
 public:
  // The mesh is the default one for `options` (T-11); the rows of a batch are
  // sharded over 'data', or over ('replica', 'data') where the mesh has slices.
  // Errors of CheckPartitionerOptions, BuildDefaultMesh, LocalChunker.
  static absl::StatusOr<Partitioner> Create(const PartitionerOptions& options,
                                            const World& world, HostId host);

  const Mesh& mesh() const { return chunker_.mesh(); }
  const LocalChunker& chunker() const { return chunker_; }
  bool params_on_devices() const { return params_on_devices_; }
  void set_params_on_devices(bool value) { params_on_devices_ = value; }

  // T-16. Null: batches are not sharded.
  const SpecEntry& data_axis() const { return data_axis_; }
  // PartitionSpec(data_axis).
  PartitionSpec DataPartitionSpec() const { return PartitionSpec(data_axis_); }
  // Devices, and hosts' shards, that a batch is split over; this host's shard.
  int64_t data_mesh_size() const { return data_mesh_size_; }
  int64_t data_shards() const { return data_shards_; }
  int64_t data_shard_id() const { return data_shard_id_; }

  // T-17: LayOutData. UNIMPLEMENTED: `host_index`, the layout of another host.
  absl::StatusOr<DataLayout> GetDataLayout(
      int64_t batch_size = 0,
      std::optional<int64_t> host_index = std::nullopt) const;

  // Whether logical names say how arrays are sharded; not here.
  bool has_named_axes() const { return has_named_axes_; }
  // The rules under which functions are traced; none without named axes.
  const LogicalAxisRules& logical_axis_rules() const { return rules_; }

 protected:
  // The chunker of the default mesh.
  static absl::StatusOr<LocalChunker> CreateChunker(
      const PartitionerOptions& options, const World& world, HostId host);
  static absl::StatusOr<Partitioner> Create(const PartitionerOptions& options,
                                            LocalChunker chunker,
                                            SpecEntry data_axis);
  void SetNamedAxes(LogicalAxisRules rules);

 private:
  explicit Partitioner(LocalChunker chunker);

  LocalChunker chunker_;
  bool params_on_devices_ = true;
  SpecEntry data_axis_;
  int64_t data_mesh_size_ = 1;
  int64_t data_shards_ = 1;
  int64_t data_shard_id_ = 0;
  bool has_named_axes_ = false;
  LogicalAxisRules rules_;
};

// T-20: the same, with mesh axes that follow from logical names by rules, also
// those of a batch. A value type.
class NamedAxisPartitioner : public Partitioner {
 public:
  // Where the mesh has slices the rules for 'batch' give ('replica', 'data').
  // INVALID_ARGUMENT also: the rule for 'batch' names an axis that the mesh
  // lacks.
  static absl::StatusOr<NamedAxisPartitioner> Create(
      const PartitionerOptions& options, const World& world, HostId host);

 private:
  NamedAxisPartitioner(Partitioner partitioner, LogicalAxisRules rules);
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_PARTITIONING_PARTITIONER_H_
