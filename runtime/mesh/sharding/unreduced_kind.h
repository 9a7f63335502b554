#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_UNREDUCED_KIND_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_UNREDUCED_KIND_H_

#include "absl/strings/string_view.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// "sum", "max", "min".
absl::string_view ReductionName(UnreducedKind kind);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_UNREDUCED_KIND_H_
