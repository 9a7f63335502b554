#ifndef LOCKSTEP_RUNTIME_MESH_PARTITIONING_LOCAL_CHUNKER_H_
#define LOCKSTEP_RUNTIME_MESH_PARTITIONING_LOCAL_CHUNKER_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/mesh.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/shard_index.h"

namespace lockstep {

// The part of an array that the devices of one host hold.
struct LocalChunkInfo {
  ShardIndex slice;
  // Which of the hosts with this slice it is.
  int64_t replica_id = 0;
  friend bool operator==(const LocalChunkInfo&,
                         const LocalChunkInfo&) = default;
};

// Cuts a mesh, and arrays on it, into *chunks*: what one host's devices hold.
// An immutable value type; copies are cheap.
class LocalChunker {
 public:
  // T-12. FAILED_PRECONDITION: `host` has no device in the mesh.
  // INVALID_ARGUMENT, the same for all its hosts: the devices of one of them
  // are no box of it, or boxes have different sizes; names host and axis.
  static absl::StatusOr<LocalChunker> Create(Mesh mesh, HostId host);

  const Mesh& mesh() const { return mesh_; }
  HostId host() const { return host_; }
  // T-12, by axis of the mesh: how many hosts share it, and which of them this
  // one is.
  absl::Span<const int64_t> num_chunks() const { return num_chunks_; }
  absl::Span<const int64_t> chunk_ids() const { return chunk_ids_; }
  // Of one axis. INVALID_ARGUMENT: the mesh lacks it.
  absl::StatusOr<int64_t> NumChunks(absl::string_view axis) const;
  absl::StatusOr<int64_t> ChunkId(absl::string_view axis) const;

  // T-13: the host's part of an array of `global_shape`. A dimension that its
  // chunks do not divide loses its last rows, with a warning in the log. Where
  // spec and shape differ in length the shorter one counts. UNIMPLEMENTED: a
  // dimension over several axes, or UNCONSTRAINED. INVALID_ARGUMENT: CheckSpec;
  // a negative size.
  absl::StatusOr<LocalChunkInfo> ChunkInfo(
      absl::Span<const int64_t> global_shape, const PartitionSpec& axes) const;

  // T-14: the number of the host's chunk along `axes`, the first one being the
  // major one. INVALID_ARGUMENT: CheckSpec.
  absl::StatusOr<int64_t> ShardId(const SpecEntry& axes) const;
  // T-15: its number along the axes that are not among `axes`, in the order of
  // the mesh. INVALID_ARGUMENT: CheckSpec.
  absl::StatusOr<int64_t> ReplicaId(const SpecEntry& axes) const;

 private:
  LocalChunker(Mesh mesh, HostId host);
  // T-15; by axis of the mesh.
  int64_t ReplicaIdWithout(absl::Span<const bool> is_sharded) const;

  Mesh mesh_;
  HostId host_;
  std::vector<int64_t> num_chunks_;
  std::vector<int64_t> chunk_ids_;
};

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_PARTITIONING_LOCAL_CHUNKER_H_
