// Spec M-21, and of M-29 what a barrier waits.
#include <optional>
#include <string>
#include <vector>

#include "coordinator/simulated_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/cluster/failure.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Hosts = std::optional<std::vector<HostId>>;

Answer<Nothing> Call(SimulatedCluster& cluster, int worker,
                     const std::string& name, Hosts participants = std::nullopt,
                     absl::Duration timeout = absl::ZeroDuration()) {
  Answer<Nothing> answer;
  BarrierCall call;
  call.thread = "main";
  call.name = name;
  call.participants = std::move(participants);
  call.timeout = timeout;
  cluster.coordinator.Barrier(cluster[worker].incarnation(), call,
                              answer.done());
  return answer;
}

TEST(Barrier, EndsWhenAllAreThere) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Call(*cluster, 0, "x");
  auto b = Call(*cluster, 1, "x");
  EXPECT_FALSE(a.has_come());
  auto c = Call(*cluster, 2, "x");
  EXPECT_TRUE(a.status().ok());
  EXPECT_TRUE(b.status().ok());
  EXPECT_TRUE(c.status().ok());
}

TEST(Barrier, ANameIsReusable_TheNthCallMeetsTheNthCall) {
  auto cluster = SimulatedCluster::Joined(2);
  for (int i = 0; i < 3; ++i) {
    auto a = Call(*cluster, 0, "x");
    EXPECT_FALSE(a.has_come());
    EXPECT_TRUE(Call(*cluster, 1, "x").status().ok());
    EXPECT_TRUE(a.status().ok());
  }
}

TEST(Barrier, NamesAreIndependent) {
  auto cluster = SimulatedCluster::Joined(2);
  auto x = Call(*cluster, 0, "x");
  auto y = Call(*cluster, 1, "y");
  EXPECT_FALSE(x.has_come());
  EXPECT_FALSE(y.has_come());
}

TEST(Barrier, OnlyParticipantsAreNeeded) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Call(*cluster, 0, "x", Hosts({HostId(0), HostId(2)}));
  EXPECT_TRUE(
      Call(*cluster, 2, "x", Hosts({HostId(2), HostId(0)})).status().ok());
  EXPECT_TRUE(a.status().ok());
}

TEST(Barrier, AtTheDeadline_AllGetTheSame_AlsoThoseWhoComeLater) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Call(*cluster, 0, "x", std::nullopt, absl::Seconds(2));
  cluster->Pass(absl::Seconds(1));
  auto b = Call(*cluster, 1, "x", std::nullopt, absl::Seconds(60));
  cluster->Pass(absl::Seconds(1));
  auto c = Call(*cluster, 2, "x");
  for (const auto& answer : {a, b, c}) {
    EXPECT_EQ(answer.status().code(), absl::StatusCode::kDeadlineExceeded);
    EXPECT_THAT(answer.message(),
                AllOf(HasSubstr("barrier 'x' #1"), HasSubstr("2 of 3"),
                      HasSubstr("first host 0 (a) 2s ago"),
                      HasSubstr("missing: host 2 (c), alive")));
  }
  // The next instance works.
  Call(*cluster, 0, "x");
  Call(*cluster, 1, "x");
  EXPECT_TRUE(Call(*cluster, 2, "x").status().ok());
}

TEST(Barrier, WithoutADeadlineTheDefaultHolds) {
  CoordinatorOptions options;
  options.wait_deadline = absl::Seconds(7);
  auto cluster = SimulatedCluster::Joined(2, 2, options);
  auto a = Call(*cluster, 0, "x");
  cluster->Pass(absl::Seconds(6));
  EXPECT_FALSE(a.has_come());
  cluster->Pass(absl::Seconds(1));
  EXPECT_EQ(a.status().code(), absl::StatusCode::kDeadlineExceeded);
}

TEST(Barrier, OtherParticipantsThanTheFirst_AllGetBothLists) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Call(*cluster, 0, "x");
  auto b = Call(*cluster, 1, "x", Hosts({HostId(0), HostId(1)}));
  auto c = Call(*cluster, 2, "x");
  for (const auto& answer : {a, b, c}) {
    EXPECT_EQ(answer.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(
        answer.message(),
        AllOf(HasSubstr("host 0 (a) gave the participants host 0 (a), host 1 "
                        "(b), host 2 (c)"),
              HasSubstr("host 1 (b) gave host 0 (a), host 1 (b)")));
  }
}

TEST(Barrier, ANonParticipantFailsItForAll) {
  auto cluster = SimulatedCluster::Joined(3);
  const Hosts two({HostId(0), HostId(1)});
  auto a = Call(*cluster, 0, "x", two);
  auto c = Call(*cluster, 2, "x", two);
  for (const auto& answer : {a, c}) {
    EXPECT_EQ(answer.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(answer.message(), AllOf(HasSubstr("host 2 (c)"),
                                        HasSubstr("host 0 (a), host 1 (b)")));
  }
}

TEST(Barrier, ACallerOutsideItsOwnListIsRefused) {
  auto cluster = SimulatedCluster::Joined(2);
  EXPECT_EQ(Call(*cluster, 0, "x", Hosts({HostId(1)})).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(Barrier, NoParticipantsOrAnUnknownHostIsRefused) {
  auto cluster = SimulatedCluster::Joined(2);
  EXPECT_EQ(
      Call(*cluster, 0, "x", Hosts(std::vector<HostId>())).status().code(),
      absl::StatusCode::kInvalidArgument);
  auto unknown = Call(*cluster, 0, "x", Hosts({HostId(0), HostId(9)}));
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(unknown.message(), HasSubstr("no host 9"));
}

TEST(Barrier, AParticipantDiesWhileOthersWait_TheyGetAbortedAtOnce) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Call(*cluster, 0, "x");
  auto b = Call(*cluster, 1, "x");
  (*cluster)[2].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  for (const auto& answer : {a, b}) {
    EXPECT_EQ(answer.status().code(), absl::StatusCode::kAborted);
    EXPECT_EQ(OriginOf(answer.status())->id, HostId(2));
    EXPECT_THAT(answer.message(),
                AllOf(HasSubstr("host 2 (c)"), HasSubstr("silent"),
                      HasSubstr("barrier 'x' #1")));
  }
}

TEST(Barrier, AParticipantThatWaitedDies_TheOthersGetAborted) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Call(*cluster, 0, "x");
  Call(*cluster, 2, "x");
  (*cluster)[2].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  EXPECT_EQ(a.status().code(), absl::StatusCode::kAborted);
}

TEST(Barrier, AmongSurvivorsOnly_ADeathElsewhereDoesNotMatter) {
  auto cluster = SimulatedCluster::Joined(3);
  const Hosts two({HostId(0), HostId(1)});
  auto a = Call(*cluster, 0, "x", two);
  (*cluster)[2].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  EXPECT_FALSE(a.has_come());
  EXPECT_TRUE(Call(*cluster, 1, "x", two).status().ok());
  EXPECT_TRUE(a.status().ok());
}

TEST(Barrier, WithADeadHost_IsAbortedAtOnce) {
  auto cluster = SimulatedCluster::Joined(2);
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  EXPECT_EQ(Call(*cluster, 0, "x").status().code(), absl::StatusCode::kAborted);
}

TEST(Barrier, AParticipantLeavesWhileOthersWait_TheyGetAborted) {
  auto cluster = SimulatedCluster::Joined(2);
  auto a = Call(*cluster, 0, "x");
  Answer<Nothing> left;
  cluster->coordinator.Leave((*cluster)[1].incarnation(), absl::ZeroDuration(),
                             left.done());
  EXPECT_EQ(a.status().code(), absl::StatusCode::kAborted);
  EXPECT_THAT(a.message(), HasSubstr("host 1 (b) has left"));
}

TEST(Barrier, TwiceAtATimeFromOneHost_TheSecondCallIsRefused) {
  auto cluster = SimulatedCluster::Joined(2);
  auto first = Call(*cluster, 0, "x");
  auto second = Call(*cluster, 0, "x");
  EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(second.message(), HasSubstr("thread main"));
  EXPECT_FALSE(first.has_come());
  Call(*cluster, 1, "x");
  EXPECT_TRUE(first.status().ok());
}

TEST(Barrier, TheWaiterCancels_ItGetsCancelled_TheOthersAborted) {
  auto cluster = SimulatedCluster::Joined(3);
  auto a = Call(*cluster, 0, "x");
  auto b = Call(*cluster, 1, "x");
  cluster->coordinator.CancelBarrier((*cluster)[1].incarnation(), "x");
  EXPECT_EQ(b.status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(a.status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(OriginOf(a.status())->id, HostId(1));
  EXPECT_EQ(Call(*cluster, 2, "x").status().code(), absl::StatusCode::kAborted);
}

TEST(Barrier, ANewIncarnationStartsAtTheCurrentInstance) {
  auto cluster = SimulatedCluster::Joined(2);
  for (int i = 0; i < 2; ++i) {
    Call(*cluster, 0, "x");
    Call(*cluster, 1, "x");
  }
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  cluster->Join(SimulatedCluster::Info("b", 99));
  auto a = Call(*cluster, 0, "x");
  EXPECT_TRUE(Call(*cluster, 2, "x").status().ok());
  EXPECT_TRUE(a.status().ok());
}

}  // namespace
}  // namespace lockstep::internal
