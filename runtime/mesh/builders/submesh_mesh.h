#ifndef LOCKSTEP_RUNTIME_MESH_BUILDERS_SUBMESH_MESH_H_
#define LOCKSTEP_RUNTIME_MESH_BUILDERS_SUBMESH_MESH_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/world.h"

namespace lockstep {

struct SubmeshOptions {
  // The devices of the mesh; default: those of the world.
  std::optional<std::vector<Device>> devices = std::nullopt;
  // Devices whose bounds are those of every host; default: those of host 0.
  std::optional<std::vector<Device>> local_devices = std::nullopt;
  // Whether devices of one host stay together in both axes. Off where the
  // submesh spans a whole plane or line: its order is contiguous then.
  bool tile_by_host_if_needed = true;
};

// T-6: the mesh ('data', 'model') of devices at hardware coordinates (T-2), of
// which every `submesh` of places is one row; `submesh` has a size per
// coordinate. INVALID_ARGUMENT: a submesh of another rank than the coordinates,
// sizes below 1, devices that do not fill the places up to the last one.
// FAILED_PRECONDITION: sizes that do not divide each other, see
// docs/behaviour/mesh_building.md.
absl::StatusOr<Mesh> BuildSubmeshMesh(absl::Span<const int64_t> submesh,
                                      const World& world,
                                      const SubmeshOptions& options = {});

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_BUILDERS_SUBMESH_MESH_H_
