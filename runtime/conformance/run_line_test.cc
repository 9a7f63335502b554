#include "runtime/conformance/run_line.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;

TEST(RunLineTest, SaysHowTheFirstRunGoes) {
  RunLine run = ReadRunLine("// RUN: t --interpret -split %s\nfunc.func\n");
  EXPECT_TRUE(run.interprets);
  EXPECT_FALSE(run.compares_output);
  run =
      ReadRunLine("\n// RUN: opt %s | t --interpret\n// RUN: x | FileCheck %s");
  EXPECT_TRUE(run.interprets);
  EXPECT_FALSE(run.compares_output);
  run = ReadRunLine("// RUN: t --interpret %s | FileCheck %s");
  EXPECT_TRUE(run.compares_output);
  run = ReadRunLine("// RUN: t %s | FileCheck %s --check-prefix=A");
  EXPECT_FALSE(run.interprets);
  EXPECT_FALSE(run.compares_output);
  EXPECT_FALSE(ReadRunLine("// a program").interprets);
}

TEST(RunLineTest, ArgumentsAreLiterals) {
  const RunLine run = ReadRunLine(
      "// RUN: t %s --interpret --args=\"[dense<[1, 2]> : tensor<2xi32>, "
      "dense<(1.0,2.0)> : tensor<complex<f32>>]\" | FileCheck %s");
  const auto arguments = ParseRunArguments(run.arguments);
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  ASSERT_EQ(arguments->size(), 2);
  EXPECT_THAT((*arguments)[0].data<int32_t>(), ElementsAre(1, 2));
  EXPECT_EQ((*arguments)[1].shape().ToString(), "tensor<complex<f32>>");
}

TEST(RunLineTest, ArgumentsThatAreNoListOfLiteralsAreErrors) {
  for (const char* text : {"[4.0 : f32]", "[dense<1> : tensor<i32>, 2]"}) {
    EXPECT_EQ(ParseRunArguments(text).status().code(),
              absl::StatusCode::kInvalidArgument)
        << text;
  }
}

}  // namespace
}  // namespace lockstep::internal
