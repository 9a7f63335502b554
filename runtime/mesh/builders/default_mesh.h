#ifndef LOCKSTEP_RUNTIME_MESH_BUILDERS_DEFAULT_MESH_H_
#define LOCKSTEP_RUNTIME_MESH_BUILDERS_DEFAULT_MESH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/world.h"

namespace lockstep {

struct DefaultMeshOptions {
  // Sizes of a model-parallel submesh (T-6).
  std::optional<std::vector<int64_t>> submesh = std::nullopt;
  // Only devices of this platform; "": all.
  std::string backend = "";
  // Sizes within and across slices, for ('replica', 'data', 'model'); only
  // together.
  std::optional<std::vector<int64_t>> ici = std::nullopt;
  std::optional<std::vector<int64_t>> dcn = std::nullopt;
};

// T-11: a mesh for models in `num_partitions` parts: ('replica', 'data',
// 'model') over slices when ici and dcn are given, else ('data', 'model'), of
// the submesh, or as the platform of the last device suggests; CPUs ignore
// `num_partitions`. INVALID_ARGUMENT: no devices, or a platform, kind and
// number of partitions for which there is no default; errors of the builder
// that is chosen.
absl::StatusOr<Mesh> BuildDefaultMesh(int64_t num_partitions,
                                      const World& world,
                                      const DefaultMeshOptions& options = {});

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_BUILDERS_DEFAULT_MESH_H_
