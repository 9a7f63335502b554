#ifndef LOCKSTEP_RUNTIME_MESH_BUILDERS_GRANULE_MESH_H_
#define LOCKSTEP_RUNTIME_MESH_BUILDERS_GRANULE_MESH_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/device_grid.h"
#include "runtime/mesh/world.h"

namespace lockstep {

// The kinds of platforms whose devices are ordered differently.
enum class PlatformKind { kGpu, kTpu, kOther };
// By the name of a platform: "gpu", "cuda" and "rocm" are GPUs.
PlatformKind PlatformKindOf(const Device& device);

// T-10, S-2: devices that are connected by one fast network, in a grid of
// `dims`: GPUs ordered by id; TPUs as their torus is assigned to the dims;
// others in the order of the list. `allow_split`: axes of the torus may be
// split (S-3). INVALID_ARGUMENT: dims of another product than the number of
// devices, or a size below 1; TPUs whose coordinates are not those of a box.
// UNIMPLEMENTED: AssignTorusAxes.
absl::StatusOr<DeviceGrid> BuildGranuleMesh(absl::Span<const int64_t> dims,
                                            std::vector<Device> devices,
                                            bool allow_split = false);

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_BUILDERS_GRANULE_MESH_H_
