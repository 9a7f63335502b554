// Spec M-24.
#include "runtime/cluster/failure.h"

#include <string>

#include "coordinator/simulated_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

LaunchFailure Failed(int64_t launch, absl::Status status, int hosts) {
  LaunchFailure failure;
  failure.launch = {77, LaunchNumber(launch)};
  failure.program = "step";
  for (int i = 0; i < hosts; ++i) failure.participants.push_back(HostId(i));
  failure.collective = "all_reduce #3";
  failure.status = std::move(status);
  return failure;
}

TEST(Failure, ALaunchThatFailedOnOneHostIsToldToTheOtherParticipants) {
  auto cluster = SimulatedCluster::Joined(3);
  cluster->coordinator.ReportLaunchFailure(
      Incarnation(2), Failed(5, absl::ResourceExhaustedError("memory"), 2));
  ASSERT_THAT((*cluster)[0].link->failures, SizeIs(1));
  EXPECT_EQ((*cluster)[0].link->failures[0].ToStatus().message(),
            "ended by host 1 (b), incarnation 0000000000000002: "
            "RESOURCE_EXHAUSTED: memory; running: all_reduce #3 of launch 5 "
            "(step)");
  EXPECT_THAT((*cluster)[1].link->failures, IsEmpty());
  EXPECT_THAT((*cluster)[2].link->failures, IsEmpty());
}

TEST(Failure, TheFirstCauseWins_LaterOnesAreCollateral) {
  auto cluster = SimulatedCluster::Joined(3);
  cluster->coordinator.ReportLaunchFailure(
      Incarnation(2), Failed(5, absl::InternalError("first"), 3));
  cluster->coordinator.ReportLaunchFailure(
      Incarnation(1), Failed(5, absl::UnavailableError("second"), 3));
  ASSERT_THAT((*cluster)[2].link->failures, SizeIs(1));
  EXPECT_EQ((*cluster)[2].link->failures[0].origin.id, HostId(1));
  EXPECT_THAT((*cluster)[1].link->failures, IsEmpty());
  EXPECT_THAT(cluster->coordinator.Status().notices.back(),
              AllOf(HasSubstr("first"), HasSubstr("1 later errors")));
}

TEST(Failure, SurvivorsGoOn_TheNextLaunchCanFailAgain) {
  auto cluster = SimulatedCluster::Joined(2);
  for (int64_t launch : {5, 6}) {
    cluster->coordinator.ReportLaunchFailure(
        Incarnation(2), Failed(launch, absl::InternalError("x"), 2));
  }
  EXPECT_THAT((*cluster)[0].link->failures, SizeIs(2));
}

TEST(Failure, ADeadHostTellsWhatWasRunningAndHowManyWaited) {
  auto cluster = SimulatedCluster::Joined(3);
  for (int i : {0, 1}) {
    (*cluster)[i].report.launches = {
        SimulatedCluster::At(5, LaunchPhase::kWaiting, 3, 3)};
  }
  (*cluster)[2].report.launches = {
      SimulatedCluster::At(5, LaunchPhase::kRunning, 2, 3)};
  cluster->SendReports();
  (*cluster)[2].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  ASSERT_THAT((*cluster)[0].link->failures, SizeIs(1));
  EXPECT_THAT((*cluster)[0].link->failures[0].running,
              AllOf(HasSubstr("all_reduce #2 of launch 5 (step) (1 host)"),
                    HasSubstr("all_reduce #3 of launch 5 (step) (2 hosts)")));
}

TEST(Failure, ReportsBecauseOfADeadHostAreItsCollateral) {
  auto cluster = SimulatedCluster::Joined(3);
  (*cluster)[2].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  const absl::Status because = (*cluster)[0].link->failures.at(0).ToStatus();
  cluster->coordinator.ReportLaunchFailure(Incarnation(1),
                                           Failed(5, because, 3));
  EXPECT_THAT((*cluster)[1].link->failures, SizeIs(1));
}

// The transport notices a dead peer before the coordinator does.
TEST(Failure, AHostNotReachedDuringSuspicion_IsBlamedOnTheDead) {
  auto cluster = SimulatedCluster::Joined(3);
  cluster->Pass(absl::Seconds(1));
  (*cluster)[2].is_reporting = false;
  cluster->coordinator.SetConnected(Incarnation(3), false);
  cluster->coordinator.ReportLaunchFailure(
      Incarnation(1), Failed(5, absl::UnavailableError("cannot reach 2"), 3));
  cluster->Pass(absl::Seconds(1));
  EXPECT_THAT((*cluster)[1].link->failures, IsEmpty());
  cluster->Pass(absl::Seconds(3));
  ASSERT_THAT((*cluster)[1].link->failures, SizeIs(1));
  EXPECT_EQ((*cluster)[1].link->failures[0].origin.id, HostId(2));
}

TEST(Failure, AHostNotReachedThatIsAlive_IsToldAfterTheSuspicion) {
  auto cluster = SimulatedCluster::Joined(3);
  cluster->Pass(absl::Seconds(1));
  cluster->coordinator.SetConnected(Incarnation(3), false);
  cluster->coordinator.ReportLaunchFailure(
      Incarnation(1), Failed(5, absl::UnavailableError("cannot reach 2"), 3));
  cluster->coordinator.SetConnected(Incarnation(3), true);
  cluster->Pass(absl::Seconds(4));
  ASSERT_THAT((*cluster)[1].link->failures, SizeIs(1));
  EXPECT_EQ((*cluster)[1].link->failures[0].origin.id, HostId(0));
}

absl::Status Suspicion() {
  return AsSuspicion(
      AsSharedCause(absl::FailedPreconditionError("2 is past it")));
}

// A host that was told of a failure before the others goes on before them.
TEST(Failure, ASuspicionGivesWayToAnEarlierCause) {
  auto cluster = SimulatedCluster::Joined(3);
  cluster->coordinator.ReportLaunchFailure(Incarnation(1),
                                           Failed(5, Suspicion(), 3));
  cluster->coordinator.ReportLaunchFailure(
      Incarnation(2), Failed(5, absl::InternalError("x"), 3));
  cluster->Pass(absl::Seconds(2));
  for (int i : {0, 2}) {
    ASSERT_THAT((*cluster)[i].link->failures, SizeIs(1)) << i;
    EXPECT_EQ((*cluster)[i].link->failures[0].cause.message(), "x");
  }
}

// The call that failed was one of hosts 0 and 1; host 2 waits for host 1.
TEST(Failure, ASuspicionIsAnsweredAlsoWhereTheCauseWasNotTold) {
  auto cluster = SimulatedCluster::Joined(3);
  cluster->coordinator.ReportLaunchFailure(
      Incarnation(2), Failed(5, absl::InternalError("x"), 2));
  EXPECT_THAT((*cluster)[2].link->failures, IsEmpty());
  cluster->coordinator.ReportLaunchFailure(Incarnation(3),
                                           Failed(5, Suspicion(), 3));
  cluster->Pass(absl::Milliseconds(1200));
  ASSERT_THAT((*cluster)[2].link->failures, SizeIs(1));
  EXPECT_EQ((*cluster)[2].link->failures[0].cause.message(), "x");
}

TEST(Failure, ASuspicionIsTheVerdictWhenNobodyKnowsBetter) {
  auto cluster = SimulatedCluster::Joined(3);
  LaunchFailure failure = Failed(5, Suspicion(), 3);
  failure.is_shared = true;
  cluster->coordinator.ReportLaunchFailure(Incarnation(1), failure);
  cluster->Pass(absl::Milliseconds(900));
  EXPECT_THAT((*cluster)[0].link->failures, IsEmpty());
  cluster->Pass(absl::Milliseconds(300));
  for (int i : {0, 1, 2}) {  // who found it too: it waits for this
    ASSERT_THAT((*cluster)[i].link->failures, SizeIs(1)) << i;
    const absl::Status told = (*cluster)[i].link->failures[0].ToStatus();
    EXPECT_EQ(told.message(), "2 is past it");
    EXPECT_FALSE(IsSuspicion(told));
  }
}

TEST(Failure, AfterAReturnLaunchNumbersCountAnew) {
  auto cluster = SimulatedCluster::Joined(2);
  cluster->coordinator.ReportLaunchFailure(
      Incarnation(1), Failed(1, absl::InternalError("x"), 2));
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  TestWorker& b = cluster->Join(SimulatedCluster::Info("b", 99));
  cluster->coordinator.ReportLaunchFailure(
      Incarnation(1), Failed(1, absl::InternalError("y"), 2));
  EXPECT_THAT(b.link->failures, SizeIs(1));
}

TEST(Failure, FailureComesBeforeTheRosterWithoutTheHost) {
  auto cluster = SimulatedCluster::Joined(2);
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  ASSERT_THAT((*cluster)[0].link->rosters, SizeIs(1));
  EXPECT_EQ((*cluster)[0].link->rosters[0].members[1].state,
            MemberState::kDead);
}

}  // namespace
}  // namespace lockstep::internal
