#include "runtime/conformance/module_splitter.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

std::vector<std::string> Suffixes(absl::string_view text) {
  std::vector<std::string> suffixes;
  for (const ModuleText& module : SplitModules(text)) {
    suffixes.push_back(module.suffix);
  }
  return suffixes;
}

TEST(ModuleSplitterTest, FileWithoutSeparatorIsOneModuleWithoutANumber) {
  EXPECT_THAT(Suffixes("// RUN\nfunc.func @f() {}\n"),
              ::testing::ElementsAre(""));
}

TEST(ModuleSplitterTest, SeparatorsMayHaveSpacesAround) {
  EXPECT_THAT(Suffixes("a\n// -----\nb\n  // -----  \nc"),
              ::testing::ElementsAre("#0", "#1", "#2"));
}

TEST(ModuleSplitterTest, OtherCommentsSeparateNothing) {
  EXPECT_THAT(Suffixes("a\n//-----\nb\n// ------\nc // -----\n"),
              ::testing::ElementsAre(""));
}

TEST(ModuleSplitterTest, ModulesOfCommentsOnlyAreLeftOutButCounted) {
  EXPECT_THAT(Suffixes("// RUN: x\n\n// -----\na\n// -----\n// end\n"),
              ::testing::ElementsAre("#1"));
  EXPECT_THAT(Suffixes(""), ::testing::IsEmpty());
}

TEST(ModuleSplitterTest, LinesKeepTheirNumbers) {
  const std::vector<ModuleText> modules = SplitModules("a\nb\n// -----\nc\n");
  ASSERT_EQ(modules.size(), 2);
  EXPECT_EQ(modules[0].text, "a\nb\n");
  EXPECT_EQ(modules[1].text, "\n\n// -----\nc\n");
}

TEST(ModuleSplitterTest, NamedPartsAreSeen) {
  EXPECT_TRUE(HasNamedParts("//--- part1.mlir\na\n//--- part2.mlir\nb\n"));
  EXPECT_FALSE(HasNamedParts("a\n// --- b\n"));
}

}  // namespace
}  // namespace lockstep::internal
