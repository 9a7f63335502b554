// Spec M-27.
#include <string>
#include <vector>

#include "coordinator/simulated_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Answer<SharedRoll> Ask(SimulatedCluster& cluster, int worker,
                       std::vector<HostId> hosts = {},
                       absl::Duration timeout = absl::ZeroDuration()) {
  Answer<SharedRoll> answer;
  cluster.coordinator.CallRoll(cluster[worker].incarnation(),
                               {"x", std::move(hosts)}, timeout, answer.done());
  return answer;
}

std::vector<int> Ids(const Answer<SharedRoll>& answer) {
  std::vector<int> ids;
  if (!answer.status().ok()) return {-1};
  for (const HostRef& host : (*answer.get())->hosts) {
    ids.push_back(host.id.value());
  }
  return ids;
}

TEST(RollCalls, AllWhoAreAliveAreNamedWhenAllHaveAsked) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Ask(*cluster, 2);
  auto b = Ask(*cluster, 0);
  EXPECT_FALSE(a.has_come());
  auto c = Ask(*cluster, 1);
  for (const auto& answer : {a, b, c}) {
    EXPECT_THAT(Ids(answer), ElementsAre(0, 1, 2));
    EXPECT_EQ((*answer.get())->hosts[1].incarnation,
              (*cluster)[1].incarnation());
  }
}

TEST(RollCalls, WhoDiesMeanwhileIsNotWaitedFor) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Ask(*cluster, 0);
  auto dying = Ask(*cluster, 1);
  auto c = Ask(*cluster, 2);
  EXPECT_THAT(Ids(a), ElementsAre(0, 1, 2));
  // The next one: two ask, the third is silent.
  a = Ask(*cluster, 0);
  c = Ask(*cluster, 2);
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(5));
  EXPECT_THAT(Ids(a), ElementsAre(0, 2));
  EXPECT_THAT(Ids(c), ElementsAre(0, 2));
  // And once it is known to be dead it is not waited for at all.
  a = Ask(*cluster, 0);
  EXPECT_THAT(Ids(Ask(*cluster, 2)), ElementsAre(0, 2));
  EXPECT_THAT(Ids(a), ElementsAre(0, 2));
}

TEST(RollCalls, OnlyTheHostsThatAreAskedForAreWaitedFor) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Ask(*cluster, 0, {HostId(2), HostId(0)});
  EXPECT_THAT(Ids(Ask(*cluster, 2, {HostId(0), HostId(2)})), ElementsAre(0, 2));
  EXPECT_THAT(Ids(a), ElementsAre(0, 2));
}

TEST(RollCalls, WrongHostsAreRefused) {
  auto cluster = SimulatedCluster::Joined(3);
  EXPECT_THAT(Ask(*cluster, 0, {HostId(0), HostId(7)}).message(),
              AllOf(HasSubstr("no host 7"), HasSubstr("3 hosts")));
  const auto not_me = Ask(*cluster, 0, {HostId(1), HostId(2)});
  EXPECT_EQ(not_me.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(not_me.message(), HasSubstr("host 0"));
  // Hosts that ask for different ones, and for each other: on both.
  auto a = Ask(*cluster, 0, {HostId(0), HostId(1), HostId(2)});
  auto b = Ask(*cluster, 1, {HostId(0), HostId(1)});
  for (const auto& answer : {a, b}) {
    EXPECT_EQ(answer.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(answer.message(),
                AllOf(HasSubstr("host 0"), HasSubstr("host 1")));
  }
}

TEST(RollCalls, AHostMayAskForItselfWhileAnotherAsksForBoth) {
  auto cluster = SimulatedCluster::Joined(2);
  EXPECT_THAT(Ids(Ask(*cluster, 0, {HostId(0)})), ElementsAre(0));
  auto a = Ask(*cluster, 0);
  EXPECT_THAT(Ids(Ask(*cluster, 1, {HostId(1)})), ElementsAre(1));
  EXPECT_FALSE(a.has_come());
  auto b = Ask(*cluster, 1);
  EXPECT_THAT(Ids(a), ElementsAre(0, 1));
  EXPECT_EQ((*a.get())->number, (*b.get())->number);
}

TEST(RollCalls, AtTheDeadlineThoseWhoLiveAndDidNotAskAreNamed) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Ask(*cluster, 0, {}, absl::Seconds(2));
  auto b = Ask(*cluster, 2, {}, absl::Seconds(2));
  cluster->Pass(absl::Seconds(1));
  EXPECT_FALSE(a.has_come());
  cluster->Pass(absl::Seconds(1));
  for (const auto& answer : {a, b}) {
    EXPECT_EQ(answer.status().code(), absl::StatusCode::kDeadlineExceeded);
    EXPECT_THAT(answer.message(),
                AllOf(HasSubstr("2 of 3"), HasSubstr("missing: host 1"),
                      Not(HasSubstr("host 0"))));
  }
}

TEST(RollCalls, ASecondThreadOfAHostIsRefused) {
  auto cluster = SimulatedCluster::Joined(2);
  auto a = Ask(*cluster, 0);
  EXPECT_EQ(Ask(*cluster, 0).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(Ids(Ask(*cluster, 1)), ElementsAre(0, 1));
  EXPECT_THAT(Ids(a), ElementsAre(0, 1));
}

TEST(RollCalls, WhoCancelsEndsItForAll) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Ask(*cluster, 0);
  auto b = Ask(*cluster, 1);
  cluster->coordinator.CancelRoll((*cluster)[0].incarnation(), {"x", {}});
  EXPECT_EQ(a.status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(b.status().code(), absl::StatusCode::kAborted);
}

}  // namespace
}  // namespace lockstep::internal
