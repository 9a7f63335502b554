#ifndef LOCKSTEP_DEPLOY_CHECKS_BUILD_TARGETS_H_
#define LOCKSTEP_DEPLOY_CHECKS_BUILD_TARGETS_H_

#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace lockstep::internal {

// A C++ target as its BUILD file has it.
struct BuildTarget {
  std::string label = {};              // "//runtime/base:directory"
  std::string build_file = {};         // "runtime/base/BUILD.bazel"
  int line = 0;                        // of its rule in there
  std::set<std::string> sources = {};  // paths, as those of the headers
  std::set<std::string> headers = {};
  std::set<std::string> deps = {};  // labels, those of every select

  friend bool operator==(const BuildTarget&, const BuildTarget&) = default;
};

// The rules cc_* of what `bazel query --output=xml` prints.
std::vector<BuildTarget> ParseBuildTargets(absl::string_view xml);

// A label in full: ":b" and "//a" of package "a" are "//a:b" and "//a:a".
std::string FullLabel(absl::string_view label, absl::string_view package);

// As BUILD files of `package` write a label: the inverse of FullLabel.
std::string ShortLabel(absl::string_view label, absl::string_view package);

// "a/b" of "//a/b:c".
std::string PackageOfLabel(absl::string_view label);

}  // namespace lockstep::internal

#endif  // LOCKSTEP_DEPLOY_CHECKS_BUILD_TARGETS_H_
