#ifndef LOCKSTEP_RUNTIME_SHARDING_EXPORTED_SHARDING_H_
#define LOCKSTEP_RUNTIME_SHARDING_EXPORTED_SHARDING_H_

#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// What becomes of shardings when propagation is over (Shardy, export; row
// Y-22). Shardings are valid on their mesh, and so are results. Pure functions.

// Whether there is a device that has not all of the tensor, or a partial
// result.
bool HasAxes(const TensorSharding& sharding);

// Each dim keeps the largest prefix of its axes that divides its size, which
// may end with a part of an axis. `shape` has as many dims as the sharding.
TensorSharding DivisiblePrefix(TensorSharding sharding,
                               const AbstractMesh& mesh,
                               absl::Span<const int64_t> shape);

// Open dims lose their first sub-axis and all axes behind it: propagation has
// found them, nobody has asked for them.
TensorSharding WithoutSubAxesOfOpenDims(TensorSharding sharding);

// All dims closed, without priorities and replicated axes.
TensorSharding ClosedSharding(TensorSharding sharding);

// Whether every device has the same of a tensor in both shardings: open dims,
// priorities and replicated axes make no difference, nor does the mesh if there
// are no axes and it is not of one device. None: no axes. INVALID_ARGUMENT:
// MeshOfSharding.
absl::StatusOr<bool> AreEquivalent(const std::optional<TensorSharding>& a,
                                   const std::optional<TensorSharding>& b,
                                   const MeshTable& meshes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_EXPORTED_SHARDING_H_
