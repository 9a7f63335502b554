// The README's list of supported ops is that of the registry.
#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"
#include "runtime/ir/op_def.h"

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

}  // namespace
}  // namespace lockstep::internal
