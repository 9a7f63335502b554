#ifndef LOCKSTEP_CLIENT_TRACER_COLLECTIVE_PAIRS_H_
#define LOCKSTEP_CLIENT_TRACER_COLLECTIVE_PAIRS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/tracer/collective_groups.h"

namespace lockstep::internal {

// (source, destination).
using Pairs = std::vector<std::pair<int64_t, int64_t>>;

// `pairs` of positions in every group as pairs of replica ids, group by group.
// INVALID_ARGUMENT: a position outside a group, or that occurs twice (K-18).
absl::StatusOr<Pairs> ReplicaPairs(const Pairs& pairs,
                                   const CollectiveGroups& groups);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TRACER_COLLECTIVE_PAIRS_H_
