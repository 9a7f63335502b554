#include "runtime/mesh/builders/world_mesh.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/mesh/builders/granule_mesh.h"
#include "runtime/mesh/builders/inferred_size.h"
#include "runtime/mesh/python_text.h"

namespace lockstep {

absl::StatusOr<Mesh> BuildWorldMesh(std::vector<int64_t> axis_dims,
                                    std::vector<std::string> axis_names,
                                    const World& world,
                                    bool mesh_axis_splitting) {
  if (axis_dims.size() != axis_names.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the mesh has rank ", axis_dims.size(), ", ",
        internal::ListText(axis_dims), ", but there are ", axis_names.size(),
        " axis names, ", internal::QuotedNames(axis_names)));
  }
  ASSIGN_OR_RETURN(const std::vector<int64_t> dims,
                   internal::InferSize(axis_dims, world.device_count()));
  ASSIGN_OR_RETURN(DeviceGrid grid, BuildGranuleMesh(dims, world.devices(),
                                                     mesh_axis_splitting));
  return Mesh::Create(std::move(grid), std::move(axis_names));
}

}  // namespace lockstep
