// Pairs of hosts that cannot reach each other.
#include "coordinator/health/link_watch.h"

#include "coordinator/simulated_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// Host `from` says that nothing comes from host `of`.
void Silent(SimulatedCluster& cluster, int from, int of,
            absl::Duration silent_for) {
  cluster[from].report.silent_peers.push_back(
      {HostId(of), cluster[of].incarnation(), silent_for});
}

// Hosts 0, 1, 2 in one launch; 1 and 2 wait for each other.
std::unique_ptr<SimulatedCluster> ThreeInALaunch() {
  auto cluster = SimulatedCluster::Joined(3);
  for (int i = 0; i < 3; ++i) {
    LaunchProgress at = SimulatedCluster::At(5, LaunchPhase::kWaiting, 7, 3);
    at.waiting_for = {HostId(i == 1 ? 2 : 1)};
    (*cluster)[i].report.launches = {at};
  }
  return cluster;
}

TEST(LinkWatch, BothReportButHearNothingOfEachOther_ThePairIsNamedEverywhere) {
  auto cluster = ThreeInALaunch();
  Silent(*cluster, 1, 2, absl::Milliseconds(2600));
  Silent(*cluster, 2, 1, absl::Milliseconds(2600));
  cluster->Pass(absl::Milliseconds(1100));
  for (int i = 0; i < 3; ++i) {
    ASSERT_THAT((*cluster)[i].link->failures, SizeIs(1)) << i;
    const Failure& failure = (*cluster)[i].link->failures[0];
    ASSERT_TRUE(failure.launch.has_value());
    EXPECT_EQ(failure.launch->number, LaunchNumber(5));
    EXPECT_EQ(failure.origin.id, HostId(1));
    EXPECT_EQ(failure.cause.code(), absl::StatusCode::kUnavailable);
    EXPECT_THAT(std::string(failure.cause.message()),
                AllOf(HasSubstr("host 1 (b) and host 2 (c) cannot reach each "
                                "other since "),
                      HasSubstr("neither hears the other")));
    ASSERT_THAT((*cluster)[i].link->cut_links, SizeIs(1)) << i;
    EXPECT_THAT((*cluster)[i].link->cut_links.back(), SizeIs(1));
  }
  EXPECT_THAT(cluster->coordinator.Status().notices,
              testing::Contains(HasSubstr("host 1 (b) and host 2 (c) cannot")));
}

TEST(LinkWatch, OneDirectionIsEnough) {
  auto cluster = ThreeInALaunch();
  Silent(*cluster, 2, 1, absl::Milliseconds(2600));
  cluster->Pass(absl::Milliseconds(1100));
  ASSERT_THAT((*cluster)[0].link->failures, SizeIs(1));
  EXPECT_THAT(std::string((*cluster)[0].link->failures[0].cause.message()),
              AllOf(HasSubstr("host 1 (b) and host 2 (c)"),
                    HasSubstr("host 2 (c) hears nothing")));
}

TEST(LinkWatch, AShortSilenceIsNothing) {
  auto cluster = ThreeInALaunch();
  Silent(*cluster, 1, 2, absl::Milliseconds(2400));
  cluster->Pass(absl::Milliseconds(2100));
  EXPECT_THAT((*cluster)[0].link->cut_links, IsEmpty());
}

TEST(LinkWatch, AHostThatDoesNotReportIsSilentNotCutOff) {
  auto cluster = ThreeInALaunch();
  (*cluster)[2].is_reporting = false;
  cluster->Pass(absl::Seconds(2));
  Silent(*cluster, 1, 2, absl::Seconds(3));
  cluster->Pass(absl::Seconds(3));
  EXPECT_THAT((*cluster)[0].link->cut_links, IsEmpty());
  ASSERT_THAT((*cluster)[0].link->failures, Not(IsEmpty()));
  EXPECT_THAT(std::string((*cluster)[0].link->failures[0].cause.message()),
              HasSubstr("host 2 (c) is silent"));
}

TEST(LinkWatch, LaunchesThatDoNotNeedTheLinkGoOn) {
  auto cluster = SimulatedCluster::Joined(3);
  LaunchProgress at = SimulatedCluster::At(5, LaunchPhase::kWaiting, 7, 2);
  at.waiting_for = {HostId(1)};
  (*cluster)[0].report.launches = {at};
  (*cluster)[1].report.launches = {
      SimulatedCluster::At(5, LaunchPhase::kRunning, 6, 2)};
  Silent(*cluster, 1, 2, absl::Seconds(3));
  cluster->Pass(absl::Seconds(2));
  EXPECT_THAT((*cluster)[0].link->cut_links, SizeIs(1));
  EXPECT_THAT((*cluster)[0].link->failures, IsEmpty());
}

TEST(LinkWatch, ALinkThatIsBackIsToldToAll) {
  auto cluster = SimulatedCluster::Joined(2);
  Silent(*cluster, 0, 1, absl::Seconds(3));
  cluster->Pass(absl::Seconds(2));
  EXPECT_THAT((*cluster)[1].link->cut_links.back(), SizeIs(1));
  (*cluster)[0].report.silent_peers.clear();
  cluster->Pass(absl::Seconds(2));
  EXPECT_THAT((*cluster)[0].link->cut_links.back(), IsEmpty());
  EXPECT_THAT((*cluster)[1].link->cut_links.back(), IsEmpty());
}

TEST(LinkWatch, ANewLifeIsNotCutOffByWhatWasSaidOfTheOld) {
  auto cluster = SimulatedCluster::Joined(2);
  Silent(*cluster, 0, 1, absl::Seconds(3));
  (*cluster)[0].report.silent_peers[0].incarnation = Incarnation(999);
  cluster->Pass(absl::Seconds(3));
  EXPECT_THAT((*cluster)[0].link->cut_links, IsEmpty());
}

}  // namespace
}  // namespace lockstep::internal
