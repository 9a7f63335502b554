#include "runtime/passes/unpartitioned.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "runtime/base/status.h"
#include "runtime/frontend/parser.h"

namespace lockstep::internal {
namespace {

std::string Check(int partitions, absl::string_view argument,
                  absl::string_view op = "stablehlo.tanh %x") {
  const auto module = ParseModule(
      absl::StrCat("module attributes {mhlo.num_partitions = ", partitions,
                   " : i32} {\n  sdy.mesh @mesh = <[\"x\"=2]>\n"
                   "  func.func @main(%x: tensor<2xf32> {",
                   argument, "}) -> tensor<2xf32> {\n    %0 = ", op,
                   " : tensor<2xf32>\n    return %0 : tensor<2xf32>\n  }\n}\n"),
      "m.mlir");
  return module.ok() ? StatusLine(CheckUnpartitioned(**module))
                     : StatusLine(module.status());
}

TEST(CheckUnpartitionedTest, WholeValuesAreAccepted) {
  EXPECT_EQ(Check(2, ""), "OK");
  EXPECT_EQ(Check(2, "mhlo.sharding = \"{replicated}\""), "OK");
  EXPECT_EQ(Check(2, "mhlo.sharding = \"{{replicated}, {manual}}\""), "OK");
  EXPECT_EQ(Check(2, "sdy.sharding = #sdy.sharding<@mesh, [{?}]>"), "OK");
  EXPECT_EQ(Check(2,
                  "sdy.sharding = #sdy.sharding<@mesh, [{}], "
                  "replicated={\"x\"}>"),
            "OK");
}

TEST(CheckUnpartitionedTest, SplitValuesAreUnimplemented) {
  EXPECT_EQ(Check(2, "mhlo.sharding = \"{devices=[2]<=[2]}\""),
            "UNIMPLEMENTED: m.mlir:3:3: argument 0 of @main: mhlo.sharding = "
            "\"{devices=[2]<=[2]}\": programs are not split among partitions");
  EXPECT_EQ(Check(2, "sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}]>"),
            "UNIMPLEMENTED: m.mlir:3:3: argument 0 of @main: sdy.sharding = "
            "#sdy.sharding<@mesh, [{\"x\"}]>: programs are not split among "
            "partitions");
  EXPECT_EQ(Check(2, "",
                  "stablehlo.tanh %x {mhlo.sharding = "
                  "\"{devices=[2]<=[2]}\"}"),
            "UNIMPLEMENTED: m.mlir:4:10: stablehlo.tanh: mhlo.sharding = "
            "\"{devices=[2]<=[2]}\": programs are not split among partitions");
}

TEST(CheckUnpartitionedTest, ShardingsOfTheFrontendCountAsWell) {
  EXPECT_EQ(Check(2,
                  "mhlo.frontend_attributes = {xla.sdy.sharding = "
                  "\"#sdy.sharding<@mesh, [{\\22x\\22}]>\"}"),
            "UNIMPLEMENTED: m.mlir:3:3: argument 0 of @main: xla.sdy.sharding "
            "= \"#sdy.sharding<@mesh, [{\\22x\\22}]>\": programs are not "
            "split among partitions");
}

TEST(CheckUnpartitionedTest, OnePartitionHasTheWhole) {
  EXPECT_EQ(Check(1, "mhlo.sharding = \"{devices=[2]<=[2]}\""), "OK");
}

}  // namespace
}  // namespace lockstep::internal
