#ifndef LOCKSTEP_RUNTIME_MESH_NAMED_SHARDING_H_
#define LOCKSTEP_RUNTIME_MESH_NAMED_SHARDING_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/memory_kinds.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/partition_spec.h"

namespace lockstep {

inline std::ostream& operator<<(std::ostream& os, const SpecEntry& entry) {
  return os << entry.ToString();
}
inline std::ostream& operator<<(std::ostream& os, const PartitionSpec& spec) {
  return os << spec.ToString();
}

// INVALID_ARGUMENT: the spec names an axis that the mesh lacks, or one twice.
absl::Status CheckSpec(const AbstractMesh& mesh, const PartitionSpec& spec);

// How an array is laid out on the devices of a mesh. An immutable value type;
// copies are cheap. Shapes are element counts per dimension.
class NamedSharding {
 public:
  // INVALID_ARGUMENT: CheckSpec; a kind that a device of the mesh does not
  // have: names the device, the kind, and those it has.
  static absl::StatusOr<NamedSharding> Create(
      Mesh mesh, PartitionSpec spec, std::string memory_kind = kDeviceMemory);

  const Mesh& mesh() const { return mesh_; }
  const PartitionSpec& spec() const { return spec_; }
  // In which memory of the devices: one of their MemoryKinds.
  const std::string& memory_kind() const { return memory_kind_; }
  // The same in another memory. Errors as of Create.
  absl::StatusOr<NamedSharding> with_memory_kind(std::string kind) const;
  // Into how many shards each of the `rank` dimensions is split; 1 for those
  // that are not sharded or UNCONSTRAINED. INVALID_ARGUMENT: the spec is longer
  // than `rank`.
  absl::StatusOr<std::vector<int64_t>> ShardCounts(int64_t rank) const;
  // B-1: the shape of one shard. INVALID_ARGUMENT: the spec is longer than the
  // rank; a dimension that its shards do not divide, or with a negative size.
  absl::StatusOr<std::vector<int64_t>> ShardShape(
      absl::Span<const int64_t> shape) const;

  // "NamedSharding(mesh=Mesh('data': 4), spec=PartitionSpec('data',))"; with
  // ", memory_kind=pinned_host" where that is not "device".
  std::string ToString() const;
  friend std::ostream& operator<<(std::ostream& os,
                                  const NamedSharding& value) {
    return os << value.ToString();
  }
  friend bool operator==(const NamedSharding&, const NamedSharding&) = default;

 private:
  NamedSharding(Mesh mesh, PartitionSpec spec, std::string memory_kind);

  Mesh mesh_;
  PartitionSpec spec_;
  std::string memory_kind_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_NAMED_SHARDING_H_
