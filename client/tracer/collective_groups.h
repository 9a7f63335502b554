#ifndef LOCKSTEP_CLIENT_TRACER_COLLECTIVE_GROUPS_H_
#define LOCKSTEP_CLIENT_TRACER_COLLECTIVE_GROUPS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "client/tracer/axis_environment.h"
#include "runtime/mesh/replica_groups.h"

namespace lockstep::internal {

// Who talks to whom in one collective of a traced function (spec K-1).
struct CollectiveGroups {
  ReplicaGroups groups;  // replica ids
  // No axes: every member is a group of its own and nothing is sent.
  bool is_alone = false;

  // Of the first group; of all, where sizes must be equal.
  int64_t size() const { return static_cast<int64_t>(groups[0].size()); }
  bool has_equal_sizes() const;
  // By replica: its place in its group, and the size of that.
  std::vector<int64_t> Positions() const;
  std::vector<int64_t> Sizes() const;
};

// NOT_FOUND, INVALID_ARGUMENT: K-1 and K-2. `index_groups` is empty when the
// caller gave none.
absl::StatusOr<CollectiveGroups> ResolveGroups(
    const AxisEnvironment& environment, absl::string_view collective,
    const std::vector<std::string>& axes, const ReplicaGroups& index_groups,
    bool equal_sizes);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_CLIENT_TRACER_COLLECTIVE_GROUPS_H_
