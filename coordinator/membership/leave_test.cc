// Spec M-25.
#include <string>

#include "coordinator/simulated_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

Answer<Nothing> Leave(SimulatedCluster& cluster, int worker) {
  Answer<Nothing> answer;
  cluster.coordinator.Leave(cluster[worker].incarnation(), absl::ZeroDuration(),
                            answer.done());
  cluster[worker].is_reporting = false;
  return answer;
}

TEST(Leave, EndsWhenAllHaveLeft) {
  auto cluster = SimulatedCluster::Joined(2);
  auto a = Leave(*cluster, 0);
  cluster->Pass(absl::Seconds(5));
  EXPECT_FALSE(a.has_come());
  auto b = Leave(*cluster, 1);
  EXPECT_TRUE(a.status().ok());
  EXPECT_TRUE(b.status().ok());
  EXPECT_TRUE((*cluster)[0].link->closed->ok());
}

TEST(Leave, AtTheDeadlineThoseWhoStayAreNamed) {
  auto cluster = SimulatedCluster::Joined(2);
  auto a = Leave(*cluster, 0);
  cluster->Pass(absl::Seconds(31));
  EXPECT_EQ(a.status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(a.message(), HasSubstr("host 1 (b)"));
}

TEST(Leave, ADeadHostIsNotWaitedFor) {
  auto cluster = SimulatedCluster::Joined(2);
  auto a = Leave(*cluster, 0);
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  EXPECT_TRUE(a.status().ok());
}

TEST(Leave, AHostThatLeftHearsOfNoFailure) {
  auto cluster = SimulatedCluster::Joined(3);
  Leave(*cluster, 0);
  const size_t rosters = (*cluster)[0].link->rosters.size();
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  EXPECT_TRUE((*cluster)[0].link->failures.empty());
  EXPECT_EQ((*cluster)[0].link->rosters.size(), rosters);
  EXPECT_EQ((*cluster)[2].link->failures.size(), 1u);
}

TEST(Leave, GrowsTheEpochAndIsNoFailure) {
  auto cluster = SimulatedCluster::Joined(2);
  const Epoch before = (*cluster)[1].joined.get()->roster->epoch;
  Leave(*cluster, 0);
  EXPECT_TRUE((*cluster)[1].link->failures.empty());
  EXPECT_EQ((*cluster)[1].link->rosters.back().epoch.value(),
            before.value() + 1);
  EXPECT_EQ((*cluster)[1].link->rosters.back().members[0].state,
            MemberState::kLeft);
  EXPECT_EQ(cluster->coordinator.Status().hosts[0].state, "left");
}

TEST(Leave, AnyCallAfterwardsIsRefused) {
  auto cluster = SimulatedCluster::Joined(2);
  Leave(*cluster, 0);
  Answer<std::string> get;
  cluster->coordinator.TryGet((*cluster)[0].incarnation(), "k", get.done());
  EXPECT_EQ(get.status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(Shutdown, AsksAllAndEndsWhenAllHaveLeft) {
  auto cluster = SimulatedCluster::Joined(2);
  auto client = std::make_shared<TestClientLink>();
  cluster->coordinator.OpenClient("x", client);
  Answer<Nothing> down;
  cluster->coordinator.Shutdown("asked for", down.done());
  EXPECT_EQ((*cluster)[0].link->shutdowns.at(0), "asked for");
  EXPECT_EQ((*cluster)[1].link->shutdowns.at(0), "asked for");
  EXPECT_EQ(client->shutdowns.at(0), "asked for");
  EXPECT_EQ(
      cluster->Join(SimulatedCluster::Info("c", 9)).joined.status().code(),
      absl::StatusCode::kFailedPrecondition);
  Leave(*cluster, 0);
  EXPECT_FALSE(down.has_come());
  Leave(*cluster, 1);
  EXPECT_TRUE(down.status().ok());
}

TEST(Shutdown, OfAClusterThatWaitsForHostsAnswersThoseWhoWait) {
  CoordinatorOptions options;
  options.expected_hosts = 3;
  SimulatedCluster cluster(options);
  TestWorker& a = cluster.Join(SimulatedCluster::Info("a", 1));
  TestWorker& b = cluster.Join(SimulatedCluster::Info("b", 2));
  EXPECT_FALSE(a.joined.has_come());
  Answer<Nothing> down;
  cluster.coordinator.Shutdown("asked for", down.done());
  for (TestWorker* worker : {&a, &b}) {
    EXPECT_EQ(worker->joined.status().code(),
              absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(worker->joined.message(),
                HasSubstr("the cluster is shutting down: asked for"));
  }
  EXPECT_TRUE(down.status().ok());
}

TEST(Shutdown, OfAnEmptyClusterEndsAtOnce) {
  SimulatedCluster cluster;
  Answer<Nothing> down;
  cluster.coordinator.Shutdown("asked for", down.done());
  EXPECT_TRUE(down.status().ok());
}

TEST(Shutdown, AtTheDeadlineThoseWhoStayAreNamed) {
  auto cluster = SimulatedCluster::Joined(1);
  Answer<Nothing> down;
  cluster->coordinator.Shutdown("asked for", down.done());
  cluster->Pass(absl::Seconds(31));
  EXPECT_EQ(down.status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(down.message(), HasSubstr("host 0 (a)"));
}

}  // namespace
}  // namespace lockstep::internal
