#include "runtime/sharding/sharding_groups.h"

#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/status.h"
#include "runtime/sharding/disjoint_sets.h"

namespace lockstep::internal {
namespace {

// The innermost around the value, or null.
const Op* ManualComputationAround(const Value& value) {
  const Region* region = value.defining_op() != nullptr
                             ? value.defining_op()->parent()
                             : value.region();
  while (region->parent_op() != nullptr &&
         region->parent_op()->name() != "sdy.manual_computation") {
    region = region->parent_op()->parent();
  }
  return region->parent_op();
}

absl::Status CheckFitTogether(const Value& first, const Value& other) {
  if (first.shape().dims() != other.shape().dims()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "sharding group: values of different dims, ", first.type().ToString(),
        " and ", other.type().ToString()));
  }
  if (ManualComputationAround(first) != ManualComputationAround(other)) {
    return absl::InvalidArgumentError(
        "sharding group: values of different sdy.manual_computation");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<ShardingGroup>> MergedGroups(
    const std::vector<ShardingGroup>& groups, const FunctionValues& values) {
  DisjointSets sets(static_cast<int>(values.values().size()));
  std::map<int, const Value*> members;
  for (const ShardingGroup& group : groups) {
    for (const Value* value : group) {
      if (!values.Contains(value)) {
        return absl::InvalidArgumentError(
            "sharding group: a value of another function");
      }
      RETURN_IF_ERROR(CheckFitTogether(*group.front(), *value));
      sets.Join(values.IndexOf(group.front()), values.IndexOf(value));
      members.emplace(values.IndexOf(value), value);
    }
  }
  std::map<int, ShardingGroup> merged;
  for (const auto& [index, value] : members) {
    merged[sets.Find(index)].push_back(value);
  }
  std::vector<ShardingGroup> result;
  for (auto& [first, group] : merged) result.push_back(std::move(group));
  return result;
}

}  // namespace lockstep::internal
