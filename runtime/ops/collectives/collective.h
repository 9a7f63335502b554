#ifndef LOCKSTEP_RUNTIME_OPS_COLLECTIVES_COLLECTIVE_H_
#define LOCKSTEP_RUNTIME_OPS_COLLECTIVES_COLLECTIVE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "runtime/ir/op.h"
#include "runtime/mesh/replica_groups.h"

namespace lockstep::internal {

enum class CollectiveOpKind {
  kAllReduce,
  kAllGather,
  kReduceScatter,
  kAllToAll,
  kCollectivePermute,
  kCollectiveBroadcast,
  kRaggedAllToAll,
};

// What a collective op says, read from its attributes once. Device-independent:
// groups are still ids of the op's mode.
struct CollectiveSpec {
  CollectiveOpKind kind = CollectiveOpKind::kAllReduce;
  GroupMode mode = GroupMode::kCrossReplica;
  ReplicaGroups groups;                            // not for permute
  std::vector<std::pair<int64_t, int64_t>> pairs;  // permute only
  // all_gather_dim, scatter_dimension; for all_to_all the split dimension.
  int64_t dim = 0;
  int64_t concat_dim = 0;   // all_to_all
  int64_t split_count = 0;  // all_to_all
  // The body of all_reduce and reduce_scatter; owned by the op.
  const Region* reduction = nullptr;
};

// INVALID_ARGUMENT when the op is not a collective or its attributes are
// malformed, with the op's location. A custom_call of ragged_all_to_all is a
// collective.
absl::StatusOr<CollectiveSpec> ParseCollectiveSpec(const Op& op);

// "[[0, 1], [1, 2]]": those of a permute.
std::string PairsText(const CollectiveSpec& spec);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_OPS_COLLECTIVES_COLLECTIVE_H_
