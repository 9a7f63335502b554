#include "client/cli/collectives_report.h"

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace lockstep::internal {
namespace {

const CollectivesCluster kCluster = {
    .hosts = 2, .devices = 4, .platform = "cpu"};

CollectiveMeasurement Example(int kind, int64_t bytes, double seconds) {
  CollectiveMeasurement measured;
  measured.measured = {
      .kind = CollectiveKinds()[kind], .ranks = 4, .bytes = bytes};
  measured.seconds = seconds;
  measured.launch_seconds = 2e-4;
  measured.iterations = 20;
  return measured;
}

std::vector<CollectiveMeasurement> Examples() {
  std::vector<CollectiveMeasurement> examples = {Example(0, 64, 21.347e-6),
                                                 Example(0, 1 << 20, 654.32e-6),
                                                 Example(0, 64 << 20, 0.0423)};
  examples[1].wrong = 3;
  return examples;
}

TEST(CollectivesReportTest, TheTableIsThatOfNcclTests) {
  std::string text = CollectivesTitle(kCluster);
  text += CollectiveHeader(CollectiveKinds()[0]);
  for (const CollectiveMeasurement& example : Examples()) {
    text += CollectiveRow(example);
  }
  text += CollectiveFooter(Examples());
  EXPECT_EQ(text, R"(# 2 hosts, 4 devices, platform cpu, this machine
#
# all_reduce
#
#       size         count      type   redop    root     time   algbw   busbw  #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)
          64            16   float32     sum      -1    21.35    0.00    0.00       0
     1048576        262144   float32     sum      -1    654.3    1.60    2.40       3
    67108864      16777216   float32     sum      -1    42300    1.59    2.38       0
# Out of bounds values : 3 FAILED
# Avg bus bandwidth    : 1.59602
)");
}

TEST(CollectivesReportTest, WrongElementsAreDataLoss) {
  const absl::Status wrong = CheckElements(Examples());
  EXPECT_EQ(wrong.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(wrong.message(),
            "all_reduce of 1048576 bytes of float32: 3 elements are not what "
            "they must be");
  EXPECT_TRUE(CheckElements({Examples()[0]}).ok());
}

TEST(CollectivesReportTest, ABroadcastHasARootAndNoReduction) {
  EXPECT_EQ(CollectiveRow(Example(5, 64, 1e-5)),
            "          64            16   float32    none       0    10.00    "
            "0.01    0.01       0\n");
}

TEST(CollectivesReportTest, JsonHasARowPerSizeAndAnAveragePerOp) {
  std::vector<CollectiveMeasurement> measured = Examples();
  measured.push_back(Example(1, 1 << 20, 1e-3));
  const auto json = nlohmann::json::parse(CollectivesJson(kCluster, measured));
  EXPECT_EQ(json["cluster"], "this machine");
  EXPECT_EQ(json["hosts"], 2);
  EXPECT_EQ(json["devices"], 4);
  EXPECT_EQ(json["platform"], "cpu");
  ASSERT_EQ(json["collectives"].size(), 4u);
  const auto& row = json["collectives"][1];
  EXPECT_EQ(row["op"], "all_reduce");
  EXPECT_EQ(row["size"], 1 << 20);
  EXPECT_EQ(row["count"], 1 << 18);
  EXPECT_EQ(row["type"], "float32");
  EXPECT_EQ(row["redop"], "sum");
  EXPECT_EQ(row["root"], -1);
  EXPECT_DOUBLE_EQ(row["seconds"].get<double>(), 654.32e-6);
  EXPECT_NEAR(row["algbw"].get<double>(), 1.6025, 1e-3);
  EXPECT_NEAR(row["busbw"].get<double>(), 2.4038, 1e-3);
  EXPECT_EQ(row["wrong"], 3);
  EXPECT_EQ(row["iterations"], 20);
  EXPECT_DOUBLE_EQ(row["launch_seconds"].get<double>(), 2e-4);
  EXPECT_NEAR(json["average_busbw"]["all_reduce"].get<double>(), 1.59602, 1e-4);
  EXPECT_NEAR(json["average_busbw"]["all_gather"].get<double>(), 0.786432,
              1e-6);
}

}  // namespace
}  // namespace lockstep::internal
