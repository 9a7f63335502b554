#include "client/checkpoint/restore_targets.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/trees/tree_map.h"
#include "client/trees/tree_prefix.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

// Longer lists of paths are cut.
constexpr size_t kShownPaths = 10;

}  // namespace

absl::StatusOr<std::vector<Target>> TargetsOf(
    const Tree<ArrayForm>& forms, const Tree<NamedSharding>& shardings) {
  using Place = std::optional<NamedSharding>;
  const Tree<Place> prefix = tree_map(
      [](const NamedSharding& sharding) { return Place(sharding); }, shardings);
  ASSIGN_OR_RETURN(const Tree<Place> places,
                   BroadcastPrefix(prefix, forms, Place()));
  std::vector<Target> targets;
  forms.Transform([&](const ArrayForm& form, const std::string& path) {
    targets.push_back({path, form.shape, {}});
    return 0;
  });
  size_t next = 0;
  places.Transform([&](const Place& place, const std::string&) {
    targets[next++].sharding = place;
    return 0;
  });
  return targets;
}

std::string PathsText(absl::Span<const ManifestArray> arrays) {
  std::vector<std::string> paths;
  for (const ManifestArray& array : arrays) {
    if (paths.size() == kShownPaths) {
      paths.push_back(absl::StrCat(arrays.size() - kShownPaths, " more"));
      break;
    }
    paths.push_back(absl::StrCat("'", array.path, "'"));
  }
  return paths.empty() ? "nothing" : absl::StrJoin(paths, ", ");
}

absl::Status CheckTargets(const Manifest& manifest,
                          absl::Span<const Target> targets, bool allow_unused) {
  std::set<std::string> wanted;
  for (const Target& target : targets) {
    if (!wanted.insert(target.path).second) {
      return absl::InvalidArgumentError(absl::StrCat(
          "two leaves of the tree have the path '", target.path, "'"));
    }
    const ManifestArray* const array = manifest.Find(target.path);
    if (array == nullptr) {
      return absl::NotFoundError(absl::StrCat("expected the array '",
                                              target.path, "', found ",
                                              PathsText(manifest.arrays)));
    }
    if (array->shape == target.shape) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "array '", target.path, "': expected ", FormText(target.shape),
        ", found ", FormText(array->shape)));
  }
  if (allow_unused) return absl::OkStatus();
  for (const ManifestArray& array : manifest.arrays) {
    if (wanted.contains(array.path)) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "the array '", array.path,
        "' of the checkpoint is not in the tree; allow_unused leaves it out"));
  }
  return absl::OkStatus();
}

}  // namespace lockstep::internal
