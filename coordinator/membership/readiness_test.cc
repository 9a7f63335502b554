// A cluster is ready when its live hosts reach each other.
#include "coordinator/membership/readiness.h"

#include <memory>

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

// Two hosts that have joined and have not said that they are ready.
struct Unready {
  Unready() {
    CoordinatorOptions options;
    options.expected_hosts = 2;
    cluster = std::make_unique<SimulatedCluster>(options);
    cluster->says_ready = false;
    cluster->Join(SimulatedCluster::Info("a", 1));
    cluster->Join(SimulatedCluster::Info("b", 2));
    cluster->coordinator.OpenClient("x", client);
  }
  void Ready(int i) {
    cluster->coordinator.Ready((*cluster)[i].incarnation(), absl::Seconds(10),
                               (*cluster)[i].ready.done());
  }
  std::unique_ptr<SimulatedCluster> cluster;
  std::shared_ptr<TestClientLink> client = std::make_shared<TestClientLink>();
};

TEST(Readiness, ClientsSeeTheClusterWhenAllHostsAreReady) {
  Unready test;
  EXPECT_THAT(test.client->notices.back(), HasSubstr("do not all reach"));
  test.Ready(0);
  EXPECT_FALSE((*test.cluster)[0].ready.has_come());
  EXPECT_FALSE(test.cluster->coordinator.Status().is_formed);
  EXPECT_THAT(test.client->rosters, IsEmpty());
  test.Ready(1);
  EXPECT_EQ((*test.cluster)[0].ready.status(), absl::OkStatus());
  EXPECT_EQ((*test.cluster)[1].ready.status(), absl::OkStatus());
  EXPECT_TRUE(test.cluster->coordinator.Status().is_formed);
  EXPECT_THAT(test.client->rosters, SizeIs(1));
}

TEST(Readiness, TheDeadlineNamesWhoIsNotReady) {
  Unready test;
  test.Ready(0);
  test.cluster->Pass(absl::Seconds(11));
  EXPECT_EQ((*test.cluster)[0].ready.status().code(),
            absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT((*test.cluster)[0].ready.message(),
              AllOf(HasSubstr("host 1 (b)"), Not(HasSubstr("host 0"))));
}

TEST(Readiness, ADeadHostIsNotWaitedFor) {
  Unready test;
  test.Ready(0);
  (*test.cluster)[1].is_reporting = false;
  test.cluster->Pass(absl::Seconds(4));
  EXPECT_EQ((*test.cluster)[0].ready.status(), absl::OkStatus());
}

TEST(Readiness, ANewcomerIsShownToClientsWhenItIsReady) {
  Unready test;
  test.Ready(0);
  test.Ready(1);
  (*test.cluster)[1].is_reporting = false;
  test.cluster->Pass(absl::Seconds(4));
  const size_t shown = test.client->rosters.size();
  TestWorker& back = test.cluster->Join(SimulatedCluster::Info("b", 3));
  ASSERT_TRUE(back.joined.has_come());
  EXPECT_THAT(test.client->rosters, SizeIs(shown));
  test.Ready(2);
  ASSERT_THAT(test.client->rosters, SizeIs(shown + 1));
  EXPECT_EQ(test.client->rosters.back().members[1].host.incarnation,
            Incarnation(3));
}

// It waits, under the name of the life before it, until that is declared dead.
TEST(Readiness, ALifeThatTakesItsPlaceAtOnceIsTheOneThatIsAwaited) {
  Unready test;
  test.Ready(0);
  (*test.cluster)[1].is_reporting = false;
  test.cluster->coordinator.SetConnected((*test.cluster)[1].incarnation(),
                                         false);
  TestWorker& back = test.cluster->Join(SimulatedCluster::Info("b", 3));
  EXPECT_FALSE(back.joined.has_come());
  test.cluster->Pass(absl::Seconds(4));
  ASSERT_TRUE(back.joined.has_come());
  EXPECT_FALSE((*test.cluster)[0].ready.has_come());
  test.Ready(2);
  EXPECT_EQ((*test.cluster)[0].ready.status(), absl::OkStatus());
  EXPECT_TRUE(test.cluster->coordinator.Status().is_formed);
}

}  // namespace
}  // namespace lockstep::internal
