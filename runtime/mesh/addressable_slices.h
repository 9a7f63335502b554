#ifndef LOCKSTEP_RUNTIME_MESH_ADDRESSABLE_SLICES_H_
#define LOCKSTEP_RUNTIME_MESH_ADDRESSABLE_SLICES_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "runtime/mesh/ids.h"
#include "runtime/mesh/named_sharding.h"

namespace lockstep {

// M-8: which slices of one dimension the devices of a host hold, for programs
// that load only these. Unlike B-6 it is defined for every mesh. All:
// INVALID_ARGUMENT for a dimension that the rank lacks, and of
// NamedSharding::ShardShape or ShardCounts.

// How many elements of dimension `dim` of an array of `shape` the host holds.
absl::StatusOr<int64_t> AddressableIndexCount(const NamedSharding& sharding,
                                              HostId host, int64_t dim,
                                              absl::Span<const int64_t> shape);

// The place of one host's set of slices among the distinct sets of all hosts.
struct HostIndex {
  int64_t index = 0;
  int64_t count = 1;
  friend bool operator==(const HostIndex&, const HostIndex&) = default;
};

// Sets are ordered by their first slice. INVALID_ARGUMENT unless all hosts have
// equally many slices of the dimension, and any two hosts the same or disjoint
// ones. FAILED_PRECONDITION when the host has no device in the mesh.
absl::StatusOr<HostIndex> HostIndexAndCount(const NamedSharding& sharding,
                                            HostId host, int64_t dim,
                                            int64_t rank);

namespace internal {

// The slices of dimension `dim` on the devices of `host`, by their numbers,
// ascending; `blocks` has those of all devices, by position.
std::vector<int64_t> BlocksOfHost(const Mesh& mesh, HostId host,
                                  absl::Span<const int64_t> blocks);
// By position: the number of the slice of dimension `dim`, from 0.
absl::StatusOr<std::vector<int64_t>> BlocksOfDevices(
    const NamedSharding& sharding, int64_t dim, int64_t rank);

}  // namespace internal

}  // namespace lockstep

#endif  // LOCKSTEP_RUNTIME_MESH_ADDRESSABLE_SLICES_H_
