// The README's list of supported ops is that of the registry.
#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"
#include "runtime/ir/op_def.h"
#include "runtime/ops/custom_calls/custom_call_target.h"

namespace lockstep::internal {
namespace {

std::string Section(const std::string& markdown, const std::string& heading) {
  size_t begin = markdown.find("\n" + heading + "\n");
  if (begin == std::string::npos) return "";
  begin += heading.size() + 2;
  return markdown.substr(begin, markdown.find("\n## ", begin) - begin);
}

// What stands between back quotes.
std::vector<std::string> Quoted(const std::string& text) {
  std::vector<std::string> parts = absl::StrSplit(text, '`');
  std::vector<std::string> quoted;
  for (size_t i = 1; i < parts.size(); i += 2) quoted.push_back(parts[i]);
  return quoted;
}

TEST(ReadmeTest, ListOfOpsIsThatOfTheRegistry) {
  std::ifstream file("README.md");
  std::string markdown((std::istreambuf_iterator<char>(file)), {});
  std::vector<std::string> names;
  for (const OpDef* op : OpRegistry::Get().All()) {
    if (absl::StartsWith(op->name(), "lockstep.")) continue;
    names.emplace_back(absl::StripPrefix(op->name(), "stablehlo."));
  }
  std::sort(names.begin(), names.end());
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(Quoted(Section(markdown, "## Supported ops")), names)
      << "the section should be:\n`" << absl::StrJoin(names, "`, `") << "`";
}

// Those of LAPACK are listed once for all element types.
std::string ListedName(std::string target) {
  for (const absl::string_view prefix : {"lapack_", "blas_"}) {
    if (absl::StartsWith(target, prefix)) target[prefix.size()] = '?';
  }
  return target;
}

TEST(ReadmeTest, ListOfTargetsIsThatOfTheRegistry) {
  std::ifstream file("README.md");
  std::string markdown((std::istreambuf_iterator<char>(file)), {});
  std::set<std::string> names;
  for (const std::string& target : CustomCallTargets::Get().Names()) {
    names.insert(ListedName(target));
  }
  const std::string section =
      Section(markdown, "## Supported targets of custom_call");
  // Behind the text about them.
  const size_t begin = section.rfind("\n\n`");
  ASSERT_NE(begin, std::string::npos);
  EXPECT_EQ(Quoted(section.substr(begin)),
            std::vector<std::string>(names.begin(), names.end()))
      << "the section should end with:\n`" << absl::StrJoin(names, "`, `")
      << "`";
}

}  // namespace
}  // namespace lockstep::internal
