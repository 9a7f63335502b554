#include "deploy/checks/include_rules.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kTable[] = R"(PACKAGE_TABLE = """
runtime/base:
runtime/types: runtime/base   # a comment
runtime/ir: runtime/types
runtime/ir/deep:
proto: runtime/types
external grpcpp/ *.pb.h: proto
name Tensor Array: runtime/ir proto
tests runtime/base: runtime/ir
"""
)";

IncludeRules Rules() { return *IncludeRules::Parse(kTable); }

std::string ErrorOf(const std::string& rows) {
  absl::StatusOr<IncludeRules> rules = IncludeRules::Parse(
      "# about\nPACKAGE_TABLE = \"\"\"\n" + rows + "\"\"\"\n");
  return std::string(rules.status().message());
}

TEST(IncludeRulesTest, PackagesBelowAreAllowedThroughOthers) {
  EXPECT_THAT(Rules().Check("runtime/ir/a.cc",
                            "#include \"runtime/ir/b.h\"\n"
                            "#include \"runtime/base/c.h\"\n"
                            "#include <vector>\n"),
              IsEmpty());
}

TEST(IncludeRulesTest, PackageAboveIsNamedWithPathAndLine) {
  EXPECT_THAT(
      Rules().Check("runtime/base/a.cc", "\n#include \"runtime/ir/b.h\"\n"),
      ElementsAre("runtime/base/a.cc:2: runtime/ir/b.h: runtime/base may not "
                  "include runtime/ir"));
}

TEST(IncludeRulesTest, LongestPrefixIsThePackage) {
  EXPECT_EQ(Rules().PackageOf("runtime/ir/deep/er/a.h"), "runtime/ir/deep");
  EXPECT_EQ(Rules().PackageOf("runtime/irrelevant/a.h"), "");
  EXPECT_THAT(
      Rules().Check("runtime/ir/a.cc", "#include \"runtime/ir/deep/b.h\""),
      ElementsAre(HasSubstr("may not include runtime/ir/deep")));
}

TEST(IncludeRulesTest, ExternalHeadersStayWhereTheTableHasThem) {
  EXPECT_THAT(Rules().Check("proto/a.cc", "#include <grpcpp/grpcpp.h>"),
              IsEmpty());
  EXPECT_THAT(Rules().Check("runtime/ir/a.cc", "# include <grpcpp/grpcpp.h>"),
              ElementsAre(HasSubstr("is not for runtime/ir")));
  EXPECT_THAT(Rules().Check("runtime/ir/a.cc", "#include \"proto/x.pb.h\""),
              ElementsAre(HasSubstr("is not for runtime/ir")));
}

TEST(IncludeRulesTest, TypesAreNamedWhereTheTableHasThem) {
  EXPECT_THAT(Rules().Check("runtime/ir/a.cc", "Tensor x;\nArray y;\n"),
              IsEmpty());
  EXPECT_THAT(
      Rules().Check("runtime/base/a.cc", "Tensor x;\nf<Tensor>(Array());\n"),
      ElementsAre("runtime/base/a.cc:1: runtime/base may not name Tensor",
                  "runtime/base/a.cc:2: runtime/base may not name Tensor",
                  "runtime/base/a.cc:2: runtime/base may not name Array"));
  // Packages below have rows of their own.
  EXPECT_THAT(Rules().Check("runtime/ir/deep/a.cc", "Tensor x;"),
              ElementsAre(HasSubstr("runtime/ir/deep may not name Tensor")));
}

TEST(IncludeRulesTest, CommentsStringsAndLongerNamesAreNotNames) {
  EXPECT_THAT(Rules().Check("runtime/base/a.cc",
                            "TensorView x;  // of a Tensor\n"
                            "Say(\"a \\\" Tensor\", my_Array);\n"),
              IsEmpty());
}

TEST(IncludeRulesTest, FileOfNoPackageIsAnObjection) {
  EXPECT_THAT(Rules().Check("runtime/other/a.cc", ""),
              ElementsAre(HasSubstr("has no row")));
}

TEST(IncludeRulesTest, TestsAreFree) {
  EXPECT_THAT(
      Rules().Check("runtime/base/a_test.cc", "#include \"runtime/ir/b.h\""),
      IsEmpty());
  EXPECT_THAT(
      Rules().Check("runtime/base/a_testing.h", "#include \"runtime/ir/b.h\""),
      IsEmpty());
}

TEST(IncludeRulesTest, RowsNameOnlyRowsAbove) {
  EXPECT_THAT(ErrorOf("a: b\nb:\n"),
              HasSubstr("line 3: a names b, which has no row above"));
  EXPECT_THAT(ErrorOf("a:\nname T: a b\n"),
              HasSubstr("line 4: T may be named by b, which has no row above"));
  EXPECT_THAT(ErrorOf("a\n"), HasSubstr("line 3: expected"));
  EXPECT_THAT(ErrorOf("a:\na:\n"), HasSubstr("line 4: a has a row already"));
}

TEST(IncludeRulesTest, OnlyTheTableIsRead) {
  EXPECT_TRUE(
      IncludeRules::Parse("other\nPACKAGE_TABLE = \"\"\"\na:\n\"\"\"\nother\n")
          .ok());
  EXPECT_THAT(IncludeRules::Parse("a:\n").status().message(),
              HasSubstr("expected a table"));
}

}  // namespace
}  // namespace lockstep::internal
