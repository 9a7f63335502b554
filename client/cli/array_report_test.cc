#include "client/cli/array_report.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace lockstep::internal {
namespace {

ArrayReport Report() {
  ArrayReport report;
  report.address = "127.0.0.1:41000";
  report.arrays = {
      {.name = "weights",
       .client = "trainer",
       .shape = "float32[8,2]",
       .layout = "PartitionSpec('x',) over ('x': 4)",
       .shard = "float32[2,2]",
       .devices = {0, 1, 2, 3},
       .state = "ready",
       .error = "",
       .bytes = 64},
      {.name = "",
       .client = "3 (lockstep run)",
       .shape = "",
       .layout = "",
       .shard = "",
       .devices = {},
       .state = "failed",
       .error = "host 1 (b) died",
       .bytes = 0},
  };
  report.hosts = {
      {.host_id = 0,
       .name = "a",
       .arrays = 1,
       .array_bytes = 2048,
       .devices = {0, 1},
       .bytes_in_use = 4096,
       .note = ""},
      {.host_id = 1,
       .name = "b",
       .arrays = 0,
       .array_bytes = 0,
       .devices = {},
       .bytes_in_use = 0,
       .note = "a program, whose arrays are its own"},
  };
  return report;
}

TEST(ArrayReport, TableSaysWhatIsWhere) {
  EXPECT_EQ(
      ArrayTable(Report()),
      "NAME     CLIENT            SHAPE         LAYOUT                         "
      "    SHARD         DEVICES  STATE   BYTES\n"
      "weights  trainer           float32[8,2]  PartitionSpec('x',) over ('x': "
      "4)  float32[2,2]  0-3      ready   64 B\n"
      "-        3 (lockstep run)  -             -                              "
      "    -             -        failed  0 B\n"
      "\n"
      "HOST  NAME  DEVICES  ARRAYS  BYTES    IN USE   NOTE\n"
      "0     a     0-1      1       2.0 KiB  4.0 KiB\n"
      "1     b     -        -       -        -        a program, whose arrays "
      "are its own\n"
      "an array of client 3 (lockstep run): host 1 (b) died\n");
}

TEST(ArrayReport, ClusterWithoutArraysSaysSo) {
  ArrayReport report = Report();
  report.arrays.clear();
  EXPECT_THAT(ArrayTable(report),
              ::testing::StartsWith(
                  "no arrays in the cluster at 127.0.0.1:41000\nHOST"));
}

TEST(ArrayReport, JsonHasNullForWhatIsNotKnown) {
  const auto json = nlohmann::json::parse(ArrayJson(Report()));
  EXPECT_EQ(json["arrays"][0]["devices"], (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(json["arrays"][0]["bytes"], 64);
  EXPECT_TRUE(json["arrays"][1]["name"].is_null());
  EXPECT_TRUE(json["arrays"][1]["shard"].is_null());
  EXPECT_EQ(json["arrays"][1]["error"], "host 1 (b) died");
  EXPECT_EQ(json["hosts"][0]["array_bytes"], 2048);
  EXPECT_TRUE(json["hosts"][1]["array_bytes"].is_null());
}

}  // namespace
}  // namespace lockstep::internal
