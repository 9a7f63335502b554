#include "client/trees/tree_map.h"

#include <algorithm>

namespace lockstep::internal {

absl::Status DifferentTrees(const TreeStructure& expected,
                            const std::vector<std::string>& expected_paths,
                            const TreeStructure& found,
                            const std::vector<std::string>& found_paths) {
  const auto [missing, extra] =
      std::mismatch(expected_paths.begin(), expected_paths.end(),
                    found_paths.begin(), found_paths.end());
  std::string where;
  if (missing != expected_paths.end()) {
    absl::StrAppend(&where, ": one has a leaf at '", *missing, "', the other ",
                    extra == found_paths.end()
                        ? "ends before it"
                        : absl::StrCat("at '", *extra, "'"));
  } else if (extra != found_paths.end()) {
    absl::StrAppend(&where, ": the other has one more leaf, at '", *extra, "'");
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the trees have different structures", where, "; they are ",
                   expected.ToString(), " and ", found.ToString()));
}

absl::Status WrongLeafCount(const TreeStructure& expected, int64_t found) {
  return absl::InvalidArgumentError(absl::StrCat(expected.ToString(), " has ",
                                                 expected.leaf_count(),
                                                 " leaves, found ", found));
}

}  // namespace lockstep::internal
