#include "runtime/mesh/replica_groups.h"

#include <iterator>
#include <numeric>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep::internal {
namespace {

absl::string_view IdKind(GroupMode mode) {
  switch (mode) {
    case GroupMode::kCrossReplica:
    case GroupMode::kCrossReplicaAndPartition:
      return "replica id";
    case GroupMode::kCrossPartition:
      return "partition id";
    case GroupMode::kFlattenedIds:
      break;
  }
  return "flattened id";
}

int64_t IdCount(GroupMode mode, int64_t replica_count,
                int64_t partition_count) {
  switch (mode) {
    case GroupMode::kCrossReplica:
    case GroupMode::kCrossReplicaAndPartition:
      return replica_count;
    case GroupMode::kCrossPartition:
      return partition_count;
    case GroupMode::kFlattenedIds:
      break;
  }
  return replica_count * partition_count;
}

absl::Status CheckSizes(const ReplicaGroups& groups) {
  for (const std::vector<int64_t>& group : groups) {
    if (group.size() != groups[0].size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "replica groups must have one size, found sizes ",
          absl::StrJoin(groups, ", ",
                        [](std::string* out, const std::vector<int64_t>& g) {
                          absl::StrAppend(out, g.size());
                        })));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckIds(const ReplicaGroups& groups, GroupMode mode,
                      int64_t id_count, bool covers_all_ids) {
  const absl::string_view kind = IdKind(mode);
  // What is kept grows with the groups that were written, not with the counts.
  absl::flat_hash_set<int64_t> seen;
  for (const std::vector<int64_t>& group : groups) {
    if (group.empty()) {
      return absl::InvalidArgumentError("a replica group is empty");
    }
    for (int64_t id : group) {
      if (id < 0 || id >= id_count) {
        return absl::InvalidArgumentError(
            absl::StrCat(kind, " ", id, " of a replica group is out of range: ",
                         "expected 0 to ", id_count - 1));
      }
      if (!seen.insert(id).second) {
        return absl::InvalidArgumentError(absl::StrCat(
            kind, " ", id, " occurs more than once in the replica groups"));
      }
    }
  }
  if (!covers_all_ids || std::ssize(seen) == id_count) {
    return absl::OkStatus();
  }
  int64_t missing = 0;
  while (seen.contains(missing)) ++missing;
  return absl::InvalidArgumentError(
      absl::StrCat(kind, " ", missing, " is in no replica group: expected all ",
                   "of 0 to ", id_count - 1));
}

std::vector<int64_t> Iota(int64_t count) {
  std::vector<int64_t> ids(count);
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

}  // namespace

absl::StatusOr<GroupMode> ReductionGroupMode(int64_t channel_id,
                                             bool use_global_device_ids) {
  if (use_global_device_ids) {
    if (channel_id > 0) return GroupMode::kFlattenedIds;
    return absl::InvalidArgumentError(
        absl::StrCat("use_global_device_ids needs a channel id above 0, found ",
                     channel_id));
  }
  return channel_id > 0 ? GroupMode::kCrossReplicaAndPartition
                        : GroupMode::kCrossReplica;
}

GroupMode MovementGroupMode(int64_t channel_id) {
  return channel_id > 0 ? GroupMode::kCrossPartition : GroupMode::kCrossReplica;
}

absl::Status ValidateReplicaGroups(const ReplicaGroups& groups, GroupMode mode,
                                   int32_t replica_count,
                                   int32_t partition_count,
                                   GroupRequirements requirements) {
  if (groups.empty()) return absl::OkStatus();
  const absl::Status ids =
      CheckIds(groups, mode, IdCount(mode, replica_count, partition_count),
               requirements.covers_all_ids);
  if (!ids.ok()) return ids;
  return requirements.equal_sizes ? CheckSizes(groups) : absl::OkStatus();
}

std::vector<std::vector<int32_t>> FlattenedGroups(const ReplicaGroups& groups,
                                                  GroupMode mode,
                                                  int32_t replica_count,
                                                  int32_t partition_count) {
  if (groups.empty()) {
    return FlattenedGroups(
        {Iota(IdCount(mode, replica_count, partition_count))}, mode,
        replica_count, partition_count);
  }
  std::vector<std::vector<int32_t>> result;
  const auto flattened = [&](int64_t replica, int64_t partition) {
    return static_cast<int32_t>(replica * partition_count + partition);
  };
  for (const std::vector<int64_t>& ids : groups) {
    switch (mode) {
      case GroupMode::kCrossReplica:
        for (int32_t p = 0; p < partition_count; ++p) {
          result.emplace_back();
          for (int64_t r : ids) result.back().push_back(flattened(r, p));
        }
        break;
      case GroupMode::kCrossPartition:
        for (int32_t r = 0; r < replica_count; ++r) {
          result.emplace_back();
          for (int64_t p : ids) result.back().push_back(flattened(r, p));
        }
        break;
      case GroupMode::kCrossReplicaAndPartition:
        result.emplace_back();
        for (int32_t p = 0; p < partition_count; ++p) {
          for (int64_t r : ids) result.back().push_back(flattened(r, p));
        }
        break;
      case GroupMode::kFlattenedIds:
        result.emplace_back(ids.begin(), ids.end());
        break;
    }
  }
  return result;
}

int64_t FlattenedGroupSize(const ReplicaGroups& groups, GroupMode mode,
                           int32_t replica_count, int32_t partition_count) {
  const int64_t ids = groups.empty()
                          ? IdCount(mode, replica_count, partition_count)
                          : std::ssize(groups[0]);
  return mode == GroupMode::kCrossReplicaAndPartition ? ids * partition_count
                                                      : ids;
}

std::vector<std::vector<GlobalDeviceId>> DeviceGroups(
    const ReplicaGroups& groups, GroupMode mode,
    const DeviceAssignment& assignment) {
  std::vector<std::vector<GlobalDeviceId>> result;
  for (const std::vector<int32_t>& group :
       FlattenedGroups(groups, mode, assignment.replica_count(),
                       assignment.partition_count())) {
    result.emplace_back();
    for (int32_t id : group) result.back().push_back(assignment.devices()[id]);
  }
  return result;
}

std::vector<std::pair<int32_t, int32_t>> FlattenedPairs(
    absl::Span<const std::pair<int64_t, int64_t>> pairs, GroupMode mode,
    int32_t replica_count, int32_t partition_count) {
  std::vector<std::pair<int32_t, int32_t>> result;
  for (const auto& [source, target] : pairs) {
    // Two groups of one member each, in the same order of processes.
    const auto sources =
        FlattenedGroups({{source}}, mode, replica_count, partition_count);
    const auto targets =
        FlattenedGroups({{target}}, mode, replica_count, partition_count);
    for (size_t i = 0; i < sources.size(); ++i) {
      for (size_t j = 0; j < sources[i].size(); ++j) {
        result.emplace_back(sources[i][j], targets[i][j]);
      }
    }
  }
  return result;
}

}  // namespace lockstep::internal
