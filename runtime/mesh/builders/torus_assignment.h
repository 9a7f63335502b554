#ifndef LOCKSTEP_RUNTIME_MESH_BUILDERS_TORUS_ASSIGNMENT_H_
#define LOCKSTEP_RUNTIME_MESH_BUILDERS_TORUS_ASSIGNMENT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/builders/index_grid.h"

namespace lockstep {

// How much of each axis of a physical torus goes to each axis of a mesh:
// matrix[physical][logical], whose rows multiply to the physical sizes and
// whose columns to the logical ones. All sizes are counts of devices.
struct TorusAssignment {
  std::vector<std::vector<int64_t>> matrix;
  friend bool operator==(const TorusAssignment&,
                         const TorusAssignment&) = default;
};

// S-2: whole physical axes, from the last logical axis to the first.
// INVALID_ARGUMENT: sizes below 1, or that have another product. UNIMPLEMENTED:
// a logical axis that no set of the remaining physical axes makes up.
absl::StatusOr<TorusAssignment> AssignTorusAxes(
    absl::Span<const int64_t> physical, absl::Span<const int64_t> logical);

// S-3: physical axes may be split between logical ones. INVALID_ARGUMENT as
// above.
absl::StatusOr<TorusAssignment> AssignSplitTorusAxes(
    absl::Span<const int64_t> physical, absl::Span<const int64_t> logical);

namespace internal {

// The indices of a row-major grid of the physical shape, arranged in `logical`.
IndexGrid ArrangeTorus(const TorusAssignment& assignment,
                       absl::Span<const int64_t> logical);

}  // namespace internal

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_BUILDERS_TORUS_ASSIGNMENT_H_
