#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_GSPMD_IMPORT_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_GSPMD_IMPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/gspmd_sharding.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// A sharded value of a module.
struct GspmdValue {
  GspmdSharding sharding;
  int64_t rank = 0;
  // Dimensions that are open whatever the sharding says. If there are any,
  // devices with the same tile do not say that they shall keep it.
  std::vector<int64_t> unspecified_dims;
};

struct GspmdImportOptions {
  // The symbol that the shardings give to the mesh.
  std::string mesh_name = "mesh";
  // Whether {replicated} means closed dimensions: arguments and results to
  // which shardings may be propagated have open ones.
  bool replicated_is_closed = true;
};

// Shardings on one mesh, whose axes are "_axis_0", "_axis_1", ...
struct ImportedShardings {
  ShardingMesh mesh;
  std::vector<TensorSharding> shardings;
  // For each of them the axes along which the value is manual, in mesh order.
  std::vector<std::vector<AxisRef>> manual_axes;
};

// All shardings of a module as shardings on one mesh (Shardy, import of
// mhlo.sharding): its axes are as large as the tiles allow. The shardings do
// not name manual axes, since their ops are in a manual region.
// INVALID_ARGUMENT: tiles of another rank than the value, other numbers of
// devices or, for {unreduced}, none at all, an unspecified dimension that is
// not there. UNIMPLEMENTED: tiles that are no parts of axes of one mesh, groups
// of shard_as and shard_like.
absl::StatusOr<ImportedShardings> ImportGspmd(
    absl::Span<const GspmdValue> values,
    const GspmdImportOptions& options = {});

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_GSPMD_IMPORT_H_
