#ifndef LOCKSTEP_RUNTIME_MESH_BUILDERS_HYBRID_MESH_H_
#define LOCKSTEP_RUNTIME_MESH_BUILDERS_HYBRID_MESH_H_

#include <cstdint>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/device_grid.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// What is connected by the fast network: a slice or a host. Between granules is
// the slow one.
enum class Granule { kSlice, kHost };

struct HybridMeshOptions {
  Granule granule = Granule::kSlice;
  // Granules by their number; otherwise by their first device in the list.
  bool sort_granules_by_key = true;
};

// T-9: a grid of dims ici[i] * dcn[i] whose granules are blocks of `ici`, each
// ordered by BuildGranuleMesh, arranged in a grid of `dcn`. INVALID_ARGUMENT:
// other numbers of ici and dcn sizes, a device without a slice index where
// slices are the granules, another number of granules than the dcn sizes make,
// and those of BuildGranuleMesh.
absl::StatusOr<DeviceGrid> BuildHybridMesh(
    absl::Span<const int64_t> ici, absl::Span<const int64_t> dcn,
    absl::Span<const Device> devices, const HybridMeshOptions& options = {});

// L-5: sizes within a granule and across granules.
struct HybridMeshShape {
  std::vector<int64_t> ici;
  std::vector<int64_t> dcn;
};

// L-5: the grid of `shape`, where granules are slices on TPUs and hosts
// elsewhere. A plain shape is split over the granules on its first axis that is
// not of size 1; on GPUs that axis need not be divisible, and then the order is
// that of BuildGranuleMesh, with a warning. One -1 per shape is inferred.
// INVALID_ARGUMENT: a plain shape that cannot be split, more than one -1, and
// those of BuildHybridMesh. UNIMPLEMENTED: devices of several platforms.
absl::StatusOr<DeviceGrid> BuildDeviceMesh(
    const std::variant<std::vector<int64_t>, HybridMeshShape>& shape,
    absl::Span<const Device> devices);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_BUILDERS_HYBRID_MESH_H_
