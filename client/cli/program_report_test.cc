#include "client/cli/program_report.h"

#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace lockstep::internal {
namespace {

ProgramReport Report(const std::string& text) {
  const std::string path = testing::TempDir() + "/inspected.mlir";
  std::ofstream(path) << text;
  const auto program = ReadProgramFile(path);
  EXPECT_TRUE(program.ok()) << program.status();
  if (!program.ok()) return ProgramReport();
  const auto report = ReportOf(*program);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *report : ProgramReport();
}

constexpr char kSplit[] = R"(
module @m attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @main(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {?}]>}, %y: tensor<f32>) -> tensor<4x6xf32> {
    %0 = stablehlo.tanh %x : tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
})";
constexpr char kRows[] = R"(
module {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
})";

TEST(ProgramReportTest, TableShowsShardingsBeforeAndBehindPropagation) {
  EXPECT_EQ(ProgramTable(Report(kSplit)),
            R"(module m: 1 replica x 4 partitions
mesh <["a"=2, "b"=2]>

ARRAY       TYPE             SHARDING               PROPAGATED            ON EACH DEVICE
argument 0  tensor<4x6xf32>  <@mesh, [{"a"}, {?}]>  <@mesh, [{"a"}, {}]>  tensor<2x6xf32>
argument 1  tensor<f32>      -                      <@mesh, []>           tensor<f32>
result 0    tensor<4x6xf32>  -                      <@mesh, [{"a"}, {}]>  tensor<2x6xf32>
)");
}

TEST(ProgramReportTest, TableOfAProgramOfRows) {
  EXPECT_EQ(ProgramTable(Report(kRows)),
            R"(module main: 1 replica x 1 partition

ARRAY       TYPE           SHARDING  PROPAGATED  ON EACH DEVICE
argument 0  tensor<4xf32>  -         -           tensor<4xf32>
result 0    tensor<4xf32>  -         -           tensor<4xf32>
)");
}

TEST(ProgramReportTest, JsonHasNullForWhatThereIsNot) {
  const auto split = nlohmann::json::parse(ProgramJson(Report(kSplit)));
  EXPECT_EQ(split["name"], "m");
  EXPECT_EQ(split["replicas"], 1);
  EXPECT_EQ(split["partitions"], 4);
  EXPECT_EQ(split["mesh"], R"(<["a"=2, "b"=2]>)");
  ASSERT_EQ(split["arguments"].size(), 2u);
  EXPECT_EQ(split["arguments"][0]["index"], 0);
  EXPECT_EQ(split["arguments"][0]["type"], "tensor<4x6xf32>");
  EXPECT_EQ(split["arguments"][0]["sharding"], R"(<@mesh, [{"a"}, {?}]>)");
  EXPECT_EQ(split["arguments"][0]["local_type"], "tensor<2x6xf32>");
  EXPECT_TRUE(split["arguments"][1]["sharding"].is_null());
  EXPECT_EQ(split["results"][0]["propagated_sharding"],
            R"(<@mesh, [{"a"}, {}]>)");
  const auto rows = nlohmann::json::parse(ProgramJson(Report(kRows)));
  EXPECT_TRUE(rows["mesh"].is_null());
  EXPECT_TRUE(rows["results"][0]["propagated_sharding"].is_null());
}

}  // namespace
}  // namespace lockstep::internal
