#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_SHARDING_VERIFIER_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_SHARDING_VERIFIER_H_

#include <cstdint>

#include "absl/status/status.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// Whether a sharding means something (Shardy, constraints of its attributes;
// rows Y-3 and Y-4). All: INVALID_ARGUMENT.

// On the mesh, whatever the tensor: axes and sub-axes are those of the mesh, no
// two overlap or cannot coexist, sub-axes that follow each other are written
// as one, replicated axes are in mesh order, no priority is at a closed
// dimension without axes. On a maximal mesh there is nothing to say.
absl::Status VerifySharding(const TensorSharding& sharding,
                            const ShardingMesh& mesh);

// Of a tensor of rank `rank`: also that the mesh is declared and, unless it is
// maximal, that the rank is that of the sharding.
absl::Status VerifyTensorSharding(const TensorSharding& sharding,
                                  const MeshTable& meshes, int64_t rank);

// Of a token, and of all that is not a tensor: no dimensions, and neither
// replicated nor unreduced axes.
absl::Status VerifyTokenSharding(const TensorSharding& sharding,
                                 const MeshTable& meshes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_SHARDING_VERIFIER_H_
