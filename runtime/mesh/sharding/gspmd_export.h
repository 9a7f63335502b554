#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_GSPMD_EXPORT_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_GSPMD_EXPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/sharding/gspmd_sharding.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/tensor_sharding.h"

namespace lockstep::internal {

// A sharding as GSPMD says it (row Y-1): the open dimensions stand apart.
struct GspmdAnnotation {
  GspmdSharding sharding;
  std::vector<int64_t> unspecified_dims;  // ascending
};

// Axes that the sharding does not mention become subgroups: those of
// `manual_axes` manual, others replicated. INVALID_ARGUMENT: VerifySharding; a
// manual axis that the mesh lacks; more devices than TileAssignment has.
// UNIMPLEMENTED: unreduced axes whose reduction is not the sum.
absl::StatusOr<GspmdAnnotation> ToGspmd(
    const ShardingMesh& mesh, const TensorSharding& sharding,
    absl::Span<const std::string> manual_axes = {});

// The text for a spec of a value of rank `rank`. INVALID_ARGUMENT: also a spec
// that is longer.
absl::StatusOr<std::string> ToGspmdString(
    const ShardingMesh& mesh, const PartitionSpec& spec, int64_t rank,
    absl::Span<const std::string> manual_axes = {});

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_GSPMD_EXPORT_H_
