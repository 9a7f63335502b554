#include "deploy/checks/dependency_rules.h"

#include <map>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A checkout of three targets: //a/low, on which //a/middle may stand, and that
// of the test.
class DependencyRulesTest : public testing::Test {
 protected:
  std::vector<std::string> Check(BuildTarget top) {
    top.label = "//a:top";
    top.build_file = "a/BUILD.bazel";
    top.line = 2;
    DependencyRules rules(
        {low_, middle_, top},
        [this](const std::string& path) { return files_[path]; });
    return rules.Check();
  }

  std::map<std::string, std::string> files_;
  BuildTarget low_ = {.label = "//a/low:low",
                      .build_file = "a/low/BUILD.bazel",
                      .line = 1,
                      .sources = {"a/low/private.h"},
                      .headers = {"a/low/low.h"}};
  BuildTarget middle_ = {.label = "//a:middle", .headers = {"a/middle.h"}};
};

TEST_F(DependencyRulesTest, IncludesOfDirectDepsAndOfItsOwnAreFree) {
  files_["a/top.cc"] =
      "#include \"a/own.h\"\n#include \"a/low/low.h\"\n#include <vector>\n";
  EXPECT_THAT(
      Check({.sources = {"a/top.cc", "a/own.h"}, .deps = {"//a/low:low"}}),
      IsEmpty());
}

TEST_F(DependencyRulesTest, IncludeThroughAnotherTargetIsAnObjection) {
  files_["a/middle.h"] = "#include \"a/low/low.h\"";
  middle_.deps = {"//a/low:low"};
  files_["a/top.cc"] = "#include \"a/middle.h\"\n#include \"a/low/low.h\"\n";
  EXPECT_THAT(Check({.sources = {"a/top.cc"}, .deps = {"//a:middle"}}),
              ElementsAre("a/BUILD.bazel:2: //a:top: add //a/low to deps, for "
                          "a/low/low.h in a/top.cc:2"));
}

TEST_F(DependencyRulesTest, HeaderAmongSourcesIsPrivate) {
  files_["a/top.cc"] =
      "#include \"a/low/low.h\"\n#include \"a/low/private.h\"\n";
  EXPECT_THAT(Check({.sources = {"a/top.cc"}, .deps = {"//a/low:low"}}),
              ElementsAre("a/top.cc:2: a/low/private.h is private to //a/low"));
}

TEST_F(DependencyRulesTest, DepOfWhichNothingIsIncludedIsAnObjection) {
  EXPECT_THAT(
      Check({.sources = {"a/top.cc"}, .deps = {"//a:middle"}}),
      ElementsAre("a/BUILD.bazel:2: //a:top: remove :middle from deps, no "
                  "header of which is included, or say \"# keep: why\""));
}

TEST_F(DependencyRulesTest, DepWithoutHeadersIsLinkedOnly) {
  low_.headers.clear();
  EXPECT_THAT(Check({.sources = {"a/top.cc"}, .deps = {"//a/low:low"}}),
              IsEmpty());
}

TEST_F(DependencyRulesTest, TargetWithoutFilesBundlesOthers) {
  EXPECT_THAT(Check({.deps = {"//a/low:low"}}), IsEmpty());
}

TEST_F(DependencyRulesTest, KeptDepsAreThoseOfTheRuleItself) {
  files_["a/BUILD.bazel"] =
      "\ncc_library(\n    deps = [\n        \":middle\",  # keep: it registers "
      "itself\n    ],\n)\n\"//a/low\",  # keep: another rule\n";
  EXPECT_THAT(
      Check({.sources = {"a/top.cc"}, .deps = {"//a:middle", "//a/low:low"}}),
      ElementsAre("a/BUILD.bazel:2: //a:top: remove //a/low from deps, no "
                  "header of which is included, or say \"# keep: why\""));
  files_["a/top.cc"] = "#include \"a/middle.h\"";
  EXPECT_THAT(
      Check({.sources = {"a/top.cc"}, .deps = {"//a:middle"}}),
      ElementsAre("a/BUILD.bazel:2: //a:top: :middle needs no \"# keep\""));
}

}  // namespace
}  // namespace lockstep::internal
