#include "runtime/mesh/builders/gpu_mesh.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/builders/hardware_coords.h"
#include "runtime/mesh/builders/hybrid_mesh.h"

namespace lockstep {

absl::StatusOr<Mesh> BuildGpuMesh(int64_t num_partitions, const World& world) {
  if (num_partitions < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected at least 1 partition, found ", num_partitions));
  }
  ASSIGN_OR_RETURN(const int64_t local_count, DevicesPerHost(world));
  const int64_t local_model = std::min(num_partitions, local_count);
  if (local_count % local_model != 0 || num_partitions % local_model != 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        num_partitions, " partitions neither divide the ", local_count,
        " devices of a host nor are a multiple of them"));
  }
  const int64_t model_hosts = num_partitions / local_model;
  ASSIGN_OR_RETURN(
      DeviceGrid grid,
      BuildHybridMesh({local_count / local_model, local_model},
                      {world.host_count() / model_hosts, model_hosts},
                      world.devices(), {.granule = Granule::kHost}));
  return Mesh::Create(std::move(grid), {"data", "model"});
}

}  // namespace lockstep
