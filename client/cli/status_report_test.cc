#include "client/cli/status_report.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

StatusReport Report() {
  StatusReport report;
  report.address = "127.0.0.1:47";
  report.cluster_id = "c";
  report.epoch = 3;
  report.is_formed = true;
  report.expected_hosts = 2;
  StatusReport::Host busy;
  busy.host_id = 0;
  busy.name = "a";
  busy.pid = 11;
  busy.address = "127.0.0.1:48";
  busy.incarnation = "00000000000000ff";
  busy.state = "alive";
  busy.devices = {0, 1, 2, 3};
  busy.program = "step";
  busy.launch = 5;
  busy.collective = "all_reduce #812";
  busy.last_progress_s = 0.25;
  StatusReport::Host joining;
  joining.name = "b";
  joining.state = "joining";
  report.hosts = {busy, joining};
  report.notices = {"waiting for 1 of 2: c (never seen)"};
  return report;
}

TEST(StatusReportTest, JsonHasEveryFieldOfAHost) {
  auto json = nlohmann::json::parse(StatusJson(Report()));
  const auto& host = json["hosts"][0];
  EXPECT_EQ(host["host_id"], 0);
  EXPECT_EQ(host["name"], "a");
  EXPECT_EQ(host["pid"], 11);
  EXPECT_EQ(host["address"], "127.0.0.1:48");
  EXPECT_EQ(host["incarnation"], "00000000000000ff");
  EXPECT_EQ(host["state"], "alive");
  EXPECT_EQ(host["devices"], (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(host["program"], "step");
  EXPECT_EQ(host["launch"], 5);
  EXPECT_EQ(host["collective"], "all_reduce #812");
  EXPECT_EQ(host["last_progress_s"], 0.25);
  EXPECT_EQ(json["notices"][0], "waiting for 1 of 2: c (never seen)");
}

TEST(StatusReportTest, JsonIsNullWhereThereIsNothing) {
  auto json = nlohmann::json::parse(StatusJson(Report()));
  const auto& host = json["hosts"][1];
  for (const char* name :
       {"host_id", "address", "program", "launch", "collective", "activity"}) {
    EXPECT_TRUE(host.contains(name) && host[name].is_null()) << name;
  }
}

TEST(StatusReportTest, TableHasARowPerHostAndTheNotices) {
  EXPECT_EQ(StatusTable(Report()),
            "cluster at 127.0.0.1:47: ready, epoch 3, 2 of 2 hosts, 4 devices\n"
            "HOST  NAME  PID  STATE    DEVICES  PROGRAM  LAUNCH  COLLECTIVE    "
            "   REPORTED   NOTE\n"
            "0     a     11   alive    0-3      step     5       all_reduce "
            "#812  0.2 s ago  -\n"
            "-     b     0    joining  -        -        -       -             "
            "   0.0 s ago  -\n"
            "waiting for 1 of 2: c (never seen)\n");
}

TEST(StatusReportTest, HostsThatAreGoneAreNotCounted) {
  StatusReport report = Report();
  report.hosts[0].state = "exited";
  EXPECT_THAT(StatusTable(report),
              HasSubstr("degraded, epoch 3, 1 of 2 hosts, 0 devices\n"));
}

TEST(StatusReportTest, IdsAreShownAsRanges) {
  EXPECT_EQ(IdRanges({}), "");
  EXPECT_EQ(IdRanges({3}), "3");
  EXPECT_EQ(IdRanges({0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
}

}  // namespace
}  // namespace lockstep::internal
