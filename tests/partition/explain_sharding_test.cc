// What is said of where a sharding comes from.
#include "runtime/passes/partition/explain_sharding.h"

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/frontend/parser.h"
#include "runtime/ir/module.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kProgram[] = R"(sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<4x6xf32>, %c: tensor<6xf32>) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}]>}) {
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}
)";

std::string Explained(absl::string_view value,
                      absl::string_view program = kProgram) {
  const auto module = ParseAndVerify(program, "m.mlir");
  if (!module.ok()) return module.status().ToString();
  const auto text = ExplainSharding(**module, value);
  return text.ok() ? *text : text.status().ToString();
}

TEST(ExplainShardingTest, AxesGoBackToWhereTheProgramSaysThem) {
  EXPECT_EQ(
      Explained("4"),
      R"(stablehlo.dot_general at m.mlir:4:8: <@mesh, [{"x", ?}, {"y", ?}]>
  "x" of dimension 0
    through stablehlo.dot_general at m.mlir:4:8 from stablehlo.tanh at m.mlir:3:8
    through stablehlo.tanh at m.mlir:3:8 from %arg0
    which the program says of %arg0
  "y" of dimension 1
    through values that are one from result0
    which the program says of result0
)");
  EXPECT_THAT(Explained("%arg1"),
              HasSubstr("  \"y\" of dimension 1\n"
                        "    through stablehlo.dot_general at m.mlir:4:8 from "
                        "stablehlo.dot_general at m.mlir:4:8\n"));
}

TEST(ExplainShardingTest, ValuesHaveNamesAndLines) {
  EXPECT_EQ(Explained("4:8"), Explained("4"));
  EXPECT_EQ(Explained("arg0"), Explained("%arg0"));
  EXPECT_THAT(Explained("result0"),
              AllOf(HasSubstr("result0: <@mesh, [{\"x\", ?}, {\"y\", ?}]>"),
                    HasSubstr("through values that are one from "
                              "stablehlo.dot_general at m.mlir:4:8")));
  EXPECT_THAT(Explained("%arg2"),
              HasSubstr("%arg2: nothing says how it is sharded"));
}

TEST(ExplainShardingTest, OtherValuesAreRefused) {
  EXPECT_THAT(Explained("%7"), AllOf(HasSubstr("INVALID_ARGUMENT"),
                                     HasSubstr("there is no value '%7'")));
  EXPECT_THAT(Explained("%0",
                        "func.func @main(%a: tensor<2xf32>) -> "
                        "tensor<2xf32> { return %a : tensor<2xf32> }"),
              HasSubstr("says nothing of shardings"));
}

}  // namespace
}  // namespace lockstep::internal
