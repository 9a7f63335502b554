#include "deploy/checks/build_targets.h"

#include <cstddef>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace lockstep::internal {
namespace {

// The value of an attribute of an XML element; "" for none.
std::string Attribute(absl::string_view element, absl::string_view name) {
  std::string start = absl::StrCat(" ", name, "=\"");
  size_t begin = element.find(start);
  if (begin == absl::string_view::npos) return "";
  element.remove_prefix(begin + start.size());
  return std::string(element.substr(0, element.find('"')));
}

// "a/b.h" of "//a:b.h".
std::string PathOfLabel(absl::string_view label) {
  std::string package = PackageOfLabel(label);
  absl::string_view name = label.substr(label.find(':') + 1);
  return package.empty() ? std::string(name) : absl::StrCat(package, "/", name);
}

// From `<rule class="cc_test" location="/root/a/BUILD.bazel:1:8"
// name="//a:b">`.
BuildTarget TargetOf(absl::string_view rule) {
  BuildTarget target;
  target.label = Attribute(rule, "name");
  std::vector<std::string> location =
      absl::StrSplit(Attribute(rule, "location"), ':');
  size_t slash = location[0].rfind('/');
  target.build_file = PathOfLabel(absl::StrCat(
      "//", PackageOfLabel(target.label), ":", location[0].substr(slash + 1)));
  if (location.size() > 1) (void)absl::SimpleAtoi(location[1], &target.line);
  return target;
}

void AddLabel(const std::string& list, const std::string& label,
              BuildTarget& target) {
  if (list == "srcs") target.sources.insert(PathOfLabel(label));
  if (list == "hdrs") target.headers.insert(PathOfLabel(label));
  if (list == "deps") target.deps.insert(label);
}

}  // namespace

std::vector<BuildTarget> ParseBuildTargets(absl::string_view xml) {
  std::vector<BuildTarget> targets;
  bool in_target = false;
  std::string list;
  for (absl::string_view line : absl::StrSplit(xml, '\n')) {
    line = absl::StripAsciiWhitespace(line);
    if (absl::StartsWith(line, "<rule ")) {
      in_target = absl::StartsWith(Attribute(line, "class"), "cc_");
      if (in_target) targets.push_back(TargetOf(line));
    } else if (absl::StartsWith(line, "<list ")) {
      list = Attribute(line, "name");
    } else if (line == "</list>") {
      list.clear();
    } else if (in_target && absl::StartsWith(line, "<label ")) {
      AddLabel(list, Attribute(line, "value"), targets.back());
    }
  }
  return targets;
}

std::string FullLabel(absl::string_view label, absl::string_view package) {
  if (!absl::StartsWith(label, "//")) {
    absl::ConsumePrefix(&label, ":");
    return absl::StrCat("//", package, ":", label);
  }
  if (absl::StrContains(label, ':')) return std::string(label);
  return absl::StrCat(label, ":", label.substr(label.rfind('/') + 1));
}

std::string ShortLabel(absl::string_view label, absl::string_view package) {
  if (PackageOfLabel(label) == package) {
    return std::string(label.substr(label.find(':')));
  }
  std::string without_name = absl::StrCat("//", PackageOfLabel(label));
  return FullLabel(without_name, package) == label ? without_name
                                                   : std::string(label);
}

std::string PackageOfLabel(absl::string_view label) {
  absl::ConsumePrefix(&label, "//");
  return std::string(label.substr(0, label.find(':')));
}

}  // namespace lockstep::internal
