#ifndef LOCKSTEP_RUNTIME_MESH_BUILDERS_INFERRED_SIZE_H_
#define LOCKSTEP_RUNTIME_MESH_BUILDERS_INFERRED_SIZE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace lockstep::internal {

// `sizes` with the one that is -1 chosen so that they multiply to `count`.
// INVALID_ARGUMENT names `sizes` and `count`: more than one -1, other sizes
// below 1, or sizes that do not make `count`.
absl::StatusOr<std::vector<int64_t>> InferSize(absl::Span<const int64_t> sizes,
                                               int64_t count);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_BUILDERS_INFERRED_SIZE_H_
