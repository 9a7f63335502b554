#include "deploy/checks/build_targets.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;

TEST(BuildTargetsTest, CppRulesHaveTheirFilesAndDeps) {
  std::vector<BuildTarget> targets = ParseBuildTargets(R"(
<query version="2">
  <rule class="genrule" location="/root/a/BUILD.bazel:3:1" name="//a:made">
    <list name="srcs"><label value="//a:x"/></list>
    <list name="srcs">
      <label value="//a:x.cc"/>
    </list>
  </rule>
  <rule class="cc_library" location="/root/a/b/BUILD.bazel:12:11" name="//a/b:c">
    <string name="name" value="c"/>
    <list name="visibility">
      <label value="//visibility:public"/>
    </list>
    <list name="srcs">
      <label value="//a/b:c.cc"/>
      <label value="//a/b:deep/d.h"/>
    </list>
    <list name="hdrs">
      <label value="//a/b:c.h"/>
    </list>
    <list name="deps">
      <label value="//a:a"/>
    </list>
    <rule-input name="//a:b"/>
  </rule>
</query>)");
  EXPECT_THAT(targets,
              ElementsAre(BuildTarget{.label = "//a/b:c",
                                      .build_file = "a/b/BUILD.bazel",
                                      .line = 12,
                                      .sources = {"a/b/c.cc", "a/b/deep/d.h"},
                                      .headers = {"a/b/c.h"},
                                      .deps = {"//a:a"}}));
}

TEST(BuildTargetsTest, LabelsAreWrittenShort) {
  for (auto [brief, full] : std::vector<std::pair<std::string, std::string>>{
           {":c", "//a/b:c"}, {"//a", "//a:a"}, {"//a:c", "//a:c"}}) {
    EXPECT_EQ(FullLabel(brief, "a/b"), full);
    EXPECT_EQ(ShortLabel(full, "a/b"), brief);
  }
}

}  // namespace
}  // namespace lockstep::internal
