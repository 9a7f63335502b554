#include "client/tracer/collective_pairs.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/status.h"

namespace lockstep::internal {
namespace {

std::string ToText(const Pairs& pairs) {
  return absl::StrCat("[",
                      absl::StrJoin(pairs, ", ",
                                    [](std::string* out, const auto& pair) {
                                      absl::StrAppend(out, "(", pair.first, ",",
                                                      pair.second, ")");
                                    }),
                      "]");
}

// `pairs` as positions 0 .. size - 1 of a group.
absl::StatusOr<Pairs> PairsOfGroup(const Pairs& pairs, int64_t size) {
  Pairs result;
  std::vector<bool> is_source(size), is_target(size);
  for (auto [source, target] : pairs) {
    for (int64_t* index : {&source, &target}) {
      if (*index < -size || *index >= size) {
        return absl::InvalidArgumentError(
            absl::StrCat("index ", *index, " is outside a group of size ", size,
                         ", in pairs ", ToText(pairs)));
      }
      if (*index < 0) *index += size;
    }
    if (is_source[source] || is_target[target]) {
      return absl::InvalidArgumentError(
          absl::StrCat(is_source[source] ? "source " : "destination ",
                       is_source[source] ? source : target,
                       " occurs twice in pairs ", ToText(pairs)));
    }
    is_source[source] = is_target[target] = true;
    result.push_back({source, target});
  }
  return result;
}

}  // namespace

absl::StatusOr<Pairs> ReplicaPairs(const Pairs& pairs,
                                   const CollectiveGroups& groups) {
  Pairs replicas;
  for (const auto& group : groups.groups) {
    ASSIGN_OR_RETURN(const Pairs positions,
                     PairsOfGroup(pairs, static_cast<int64_t>(group.size())));
    for (const auto& [source, target] : positions) {
      replicas.push_back({group[source], group[target]});
    }
  }
  return replicas;
}

}  // namespace lockstep::internal
