#include "client/tracer/collective_groups.h"

#include "runtime/base/status.h"
#include "runtime/mesh/axis_groups.h"

namespace lockstep::internal {
namespace {

int64_t MemberCount(const ReplicaGroups& groups) {
  int64_t count = 0;
  for (const auto& group : groups) count += static_cast<int64_t>(group.size());
  return count;
}

}  // namespace

bool CollectiveGroups::has_equal_sizes() const {
  for (const auto& group : groups) {
    if (group.size() != groups[0].size()) return false;
  }
  return true;
}

std::vector<int64_t> CollectiveGroups::Positions() const {
  std::vector<int64_t> positions(MemberCount(groups));
  for (const auto& group : groups) {
    for (size_t i = 0; i < group.size(); ++i) positions[group[i]] = i;
  }
  return positions;
}

std::vector<int64_t> CollectiveGroups::Sizes() const {
  std::vector<int64_t> sizes(MemberCount(groups));
  for (const auto& group : groups) {
    for (int64_t member : group) sizes[member] = group.size();
  }
  return sizes;
}

absl::StatusOr<CollectiveGroups> ResolveGroups(
    const AxisEnvironment& environment, absl::string_view collective,
    const std::vector<std::string>& axes, const ReplicaGroups& index_groups,
    bool equal_sizes) {
  ASSIGN_OR_RETURN(const std::vector<int64_t> positions,
                   environment.Find(axes));
  CollectiveGroups result;
  result.is_alone = axes.empty();
  ASSIGN_OR_RETURN(result.groups, AxisGroups(environment.replica_count,
                                             environment.sizes, positions));
  if (index_groups.empty()) return result;
  int64_t axis_size = 1;
  for (int64_t position : positions) axis_size *= environment.sizes[position];
  RETURN_IF_ERROR(ValidateAxisIndexGroups(collective, index_groups, axis_size,
                                          equal_sizes));
  result.groups = CutGroups(result.groups, index_groups);
  return result;
}

}  // namespace lockstep::internal
