#include "runtime/mesh/axis_groups.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace lockstep::internal {
namespace {

std::string GroupsToString(const ReplicaGroups& groups) {
  return absl::StrCat(
      "[",
      absl::StrJoin(groups, ", ",
                    [](std::string* out, const std::vector<int64_t>& group) {
                      absl::StrAppend(out, "[", absl::StrJoin(group, ", "),
                                      "]");
                    }),
      "]");
}

absl::Status CheckAxes(absl::Span<const int64_t> sizes,
                       absl::Span<const int64_t> axes) {
  std::vector<bool> used(sizes.size());
  for (int64_t axis : axes) {
    if (axis < 0 || axis >= static_cast<int64_t>(sizes.size())) {
      return absl::InvalidArgumentError(
          absl::StrCat("axis ", axis, " of [", absl::StrJoin(axes, ", "),
                       "] is out of range: there are ", sizes.size(), " axes"));
    }
    if (used[axis]) {
      return absl::InvalidArgumentError(absl::StrCat(
          "axis ", axis, " occurs twice in [", absl::StrJoin(axes, ", "), "]"));
    }
    used[axis] = true;
  }
  return absl::OkStatus();
}

struct Extent {
  int64_t size;
  int64_t stride;
};

// The offsets of all index combinations, row-major.
std::vector<int64_t> Offsets(absl::Span<const Extent> extents) {
  std::vector<int64_t> offsets = {0};
  for (const Extent& extent : extents) {
    std::vector<int64_t> next;
    next.reserve(offsets.size() * extent.size);
    for (int64_t offset : offsets) {
      for (int64_t i = 0; i < extent.size; ++i) {
        next.push_back(offset + i * extent.stride);
      }
    }
    offsets = std::move(next);
  }
  return offsets;
}

absl::Status InvalidGroups(absl::string_view collective,
                           absl::string_view problem,
                           const ReplicaGroups& index_groups) {
  return absl::InvalidArgumentError(
      absl::StrCat(collective, ": axis_index_groups ", problem, ": ",
                   GroupsToString(index_groups)));
}

}  // namespace

absl::StatusOr<ReplicaGroups> AxisGroups(int64_t replica_count,
                                         absl::Span<const int64_t> sizes,
                                         absl::Span<const int64_t> axes) {
  if (replica_count < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected at least 1 replica, found ", replica_count));
  }
  int64_t trailing = replica_count;
  for (int64_t size : sizes) {
    if (size < 1 || trailing % size != 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("axis sizes [", absl::StrJoin(sizes, ", "),
                       "] do not divide the replica count ", replica_count));
    }
    trailing /= size;
  }
  const absl::Status checked = CheckAxes(sizes, axes);
  if (!checked.ok()) return checked;

  std::vector<Extent> extents(sizes.size());
  int64_t stride = trailing;
  for (size_t i = sizes.size(); i-- > 0;) {
    extents[i] = {sizes[i], stride};
    stride *= sizes[i];
  }
  std::vector<Extent> inside;
  for (int64_t axis : axes) inside.push_back(extents[axis]);
  std::vector<Extent> across;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (std::find(axes.begin(), axes.end(), static_cast<int64_t>(i)) ==
        axes.end()) {
      across.push_back(extents[i]);
    }
  }
  across.push_back({trailing, 1});

  const std::vector<int64_t> members = Offsets(inside);
  ReplicaGroups groups;
  for (int64_t first : Offsets(across)) {
    std::vector<int64_t>& group = groups.emplace_back(members);
    for (int64_t& member : group) member += first;
  }
  return groups;
}

absl::Status ValidateAxisIndexGroups(absl::string_view collective,
                                     const ReplicaGroups& index_groups,
                                     int64_t axis_size, bool equal_sizes) {
  if (index_groups.empty()) {
    return InvalidGroups(collective, "is empty", index_groups);
  }
  for (const std::vector<int64_t>& group : index_groups) {
    if (group.empty()) {
      return InvalidGroups(collective, "has an empty group", index_groups);
    }
  }
  for (const std::vector<int64_t>& group : index_groups) {
    for (int64_t index : group) {
      if (index >= 0 && index < axis_size) continue;
      return InvalidGroups(collective,
                           absl::StrCat("has index ", index,
                                        " outside an axis of size ", axis_size),
                           index_groups);
    }
  }
  std::vector<bool> seen(axis_size);
  for (const std::vector<int64_t>& group : index_groups) {
    for (int64_t index : group) {
      if (seen[index]) {
        return InvalidGroups(
            collective, absl::StrCat("has index ", index, " more than once"),
            index_groups);
      }
      seen[index] = true;
    }
  }
  std::vector<int64_t> missing;
  for (int64_t index = 0; index < axis_size; ++index) {
    if (!seen[index]) missing.push_back(index);
  }
  if (!missing.empty()) {
    return InvalidGroups(
        collective,
        absl::StrCat("lacks ", missing.size() == 1 ? "index " : "indices ",
                     absl::StrJoin(missing, ", "), " of an axis of size ",
                     axis_size),
        index_groups);
  }
  if (!equal_sizes) return absl::OkStatus();
  std::vector<size_t> sizes;
  for (const std::vector<int64_t>& group : index_groups) {
    sizes.push_back(group.size());
  }
  if (std::count(sizes.begin(), sizes.end(), sizes[0]) ==
      static_cast<int64_t>(sizes.size())) {
    return absl::OkStatus();
  }
  return InvalidGroups(collective,
                       absl::StrCat("must have groups of one size, found ",
                                    absl::StrJoin(sizes, ", ")),
                       index_groups);
}

ReplicaGroups CutGroups(const ReplicaGroups& groups,
                        const ReplicaGroups& index_groups) {
  ReplicaGroups result;
  for (const std::vector<int64_t>& group : groups) {
    for (const std::vector<int64_t>& indices : index_groups) {
      std::vector<int64_t>& cut = result.emplace_back();
      for (int64_t index : indices) cut.push_back(group[index]);
    }
  }
  return result;
}

}  // namespace lockstep::internal
