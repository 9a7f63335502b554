#ifndef LOCKSTEP_RUNTIME_MESH_PARTITIONING_PARTITIONER_OPTIONS_H_
#define LOCKSTEP_RUNTIME_MESH_PARTITIONING_PARTITIONER_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "runtime/mesh/partitioning/logical_axes.h"

namespace lockstep {

// T-23. One of the first two must be given.
struct PartitionerOptions {
  // Devices over which a model is partitioned; 0: not given.
  int64_t num_partitions = 0;
  // Sizes, in hardware coordinates, of the block of devices over which a model
  // is partitioned (T-6); it wins over num_partitions. Empty: not given.
  std::vector<int64_t> model_parallel_submesh = {};
  // Whether parameters stay on the devices between steps. For programs: nothing
  // here depends on it.
  bool params_on_devices = true;
  // Only devices of this platform; "": all.
  std::string backend = "";
  // Sizes within and across slices, for meshes ('replica', 'data', 'model');
  // only together (T-11).
  std::optional<std::vector<int64_t>> ici_mesh_shape = std::nullopt;
  std::optional<std::vector<int64_t>> dcn_mesh_shape = std::nullopt;
  // For the partitioner with named axes; default: StandardLogicalAxisRules.
  std::optional<LogicalAxisRules> logical_axis_rules = std::nullopt;

  bool has_hybrid_mesh() const {
    return ici_mesh_shape.has_value() && dcn_mesh_shape.has_value();
  }
};

// INVALID_ARGUMENT: neither num_partitions nor model_parallel_submesh is given,
// or a negative number of partitions. Both of them, and a submesh that has not
// four sizes, are errors in the log.
absl::Status CheckPartitionerOptions(const PartitionerOptions& options);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_PARTITIONING_PARTITIONER_OPTIONS_H_
