#include "client/cli/bench_report.h"

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace lockstep::internal {
namespace {

DeviceBench Example() {
  return {.device = "cuda:0 (NVIDIA H200)",
          .measurements = {{.name = "softmax f32",
                            .size = "8192x8192",
                            .seconds = 1.5e-4,
                            .amount = 5.4e8,
                            .unit = "GB/s",
                            .limit = 4000,
                            .limit_name = "copy within the device"},
                           {.name = "copy to host",
                            .size = "256 MiB",
                            .seconds = 0.25,
                            .amount = 2.5e8,
                            .unit = "GB/s"}}};
}

TEST(BenchReportTest, TheTableHasEachRateBesideItsLimit) {
  EXPECT_EQ(BenchTable(Example()), R"(cuda:0 (NVIDIA H200)

WHAT          SIZE       TIME        RATE       LIMIT                              SHARE
softmax f32   8192x8192  150.0 us    3600 GB/s  4000 GB/s, copy within the device  90 %
copy to host  256 MiB    250.000 ms  1.00 GB/s  -                                  -
)");
}

TEST(BenchReportTest, JsonHasNullForLimitsThatAreNotKnown) {
  const auto json = nlohmann::json::parse(BenchJson(Example()));
  EXPECT_EQ(json["device"], "cuda:0 (NVIDIA H200)");
  const auto& softmax = json["measurements"][0];
  EXPECT_NEAR(softmax["rate"].get<double>(), 3600, 1e-6);
  EXPECT_NEAR(softmax["share"].get<double>(), 0.9, 1e-9);
  const auto& copy = json["measurements"][1];
  EXPECT_TRUE(copy["limit"].is_null());
  EXPECT_TRUE(copy["share"].is_null());
}

}  // namespace
}  // namespace lockstep::internal
