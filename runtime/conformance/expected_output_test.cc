#include "runtime/conformance/expected_output.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

constexpr char kExpected[] =
    "// CHECK:      one two\n"
    "  // CHECK-NEXT{LITERAL}: [[3]]\n"
    "// CHECK-DENSE: of another run\n"
    "// nothing\n"
    "// CHECK: four\n";

TEST(ExpectedOutputTest, LinesAreFoundInOrder) {
  const auto expected = ExpectedOutput::Parse(kExpected);
  ASSERT_TRUE(expected.has_value());
  EXPECT_FALSE(expected->empty());
  EXPECT_EQ(expected->Mismatch("zero\n  one   two\n[[3]]\nx\nfour!\n"),
            std::nullopt);
  EXPECT_EQ(expected->Mismatch("one two\nx\n[[3]]\nfour"),
            "expected to print \"[[3]]\", found \"one "
            "two\\nx\\n[[3]]\\nfour\"");
  EXPECT_NE(expected->Mismatch("four\none two\n[[3]]"), std::nullopt);
  EXPECT_NE(expected->Mismatch("one two\n[[3]]"), std::nullopt);
  EXPECT_NE(expected->Mismatch(""), std::nullopt);
}

TEST(ExpectedOutputTest, NothingExpectedIsAlwaysPrinted) {
  const auto expected = ExpectedOutput::Parse("// RUN: x\nfunc.func @f()\n");
  ASSERT_TRUE(expected.has_value());
  EXPECT_TRUE(expected->empty());
  EXPECT_EQ(expected->Mismatch("anything"), std::nullopt);
}

TEST(ExpectedOutputTest, OtherDirectivesAndPatternsAreNotSupported) {
  for (const char* text :
       {"// CHECK-NOT: x", "// CHECK: {{.*}}", "// CHECK: [[NAME]]"}) {
    EXPECT_FALSE(ExpectedOutput::Parse(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace lockstep::internal
