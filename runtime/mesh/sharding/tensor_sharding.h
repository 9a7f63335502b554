#ifndef LOCKSTEP_RUNTIME_MESH_SHARDING_TENSOR_SHARDING_H_
#define LOCKSTEP_RUNTIME_MESH_SHARDING_TENSOR_SHARDING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/sharding_mesh.h"

namespace lockstep::internal {

// How one dimension is split. A value type.
struct DimSharding {
  std::vector<AxisRef> axes;  // major to minor
  // Open: propagation may append axes at the minor end.
  bool is_closed = true;
  // Dimensions of lower priority are propagated first; none: 0.
  std::optional<int64_t> priority;

  int64_t PriorityOrDefault() const { return priority.value_or(0); }
  // `axes` are valid on the mesh and do not overlap.
  int64_t ShardCount(const AbstractMesh& mesh) const;
  friend bool operator==(const DimSharding&, const DimSharding&) = default;
};

// How the partial results of unreduced axes make the value.
enum class UnreducedKind { kSum, kMax, kMin };

// How a tensor of a program is laid out on a mesh (Shardy, #sdy.sharding). It
// may say anything; VerifySharding says whether it means something. A value
// type.
struct TensorSharding {
  // The symbol of the mesh, without '@', or the mesh itself.
  std::variant<std::string, ShardingMesh> mesh;
  std::vector<DimSharding> dims;
  // Propagation may not use them; in mesh order.
  std::vector<AxisRef> replicated;
  // Along these, each device has a partial result.
  std::vector<AxisRef> unreduced;
  UnreducedKind reduction = UnreducedKind::kSum;

  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  friend bool operator==(const TensorSharding&,
                         const TensorSharding&) = default;
};

// Every dimension without axes, open or closed. A tensor without a sharding is
// fully open.
TensorSharding UnshardedOn(std::variant<std::string, ShardingMesh> mesh,
                           int64_t rank, bool is_closed);

// The sharding that a spec means: axes and null are closed, UNCONSTRAINED is
// open. INVALID_ARGUMENT: the spec is longer than `rank`.
absl::StatusOr<TensorSharding> ShardingOfSpec(
    std::variant<std::string, ShardingMesh> mesh, const PartitionSpec& spec,
    int64_t rank);

// The mesh of the sharding: its own, or that of the table, which must outlive
// the result. INVALID_ARGUMENT: it is not declared.
absl::StatusOr<const ShardingMesh*> MeshOfSharding(
    const TensorSharding& sharding, const MeshTable& meshes);

// Into how many shards each dimension is split. The sharding is valid on the
// mesh.
std::vector<int64_t> ShardCounts(const TensorSharding& sharding,
                                 const AbstractMesh& mesh);

// The shape of one shard: sizes are divided by shard counts and rounded up, so
// the last shards may have less. INVALID_ARGUMENT: another rank, a negative
// size. The sharding is valid on the mesh.
absl::StatusOr<std::vector<int64_t>> LocalShape(
    const TensorSharding& sharding, const ShardingMesh& mesh,
    absl::Span<const int64_t> shape);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_MESH_SHARDING_TENSOR_SHARDING_H_
