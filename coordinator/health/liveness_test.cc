// Spec M-23, the rows of M-19 that the coordinator sees, and limits of M-29.
#include <string>
#include <utility>
#include <vector>

#include "coordinator/health/launch_waits.h"
#include "coordinator/simulated_cluster.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/cluster/failure.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string StateOf(SimulatedCluster& cluster, int host) {
  return cluster.coordinator.Status().hosts[host].state;
}

TEST(Liveness, AHostThatReportsIsAlive) {
  auto cluster = SimulatedCluster::Joined(2);
  cluster->Pass(absl::Seconds(30));
  EXPECT_EQ(StateOf(*cluster, 0), "alive");
  EXPECT_THAT((*cluster)[0].link->failures, IsEmpty());
}

TEST(Liveness, NoReportFor3Seconds_IsSilent_KnownToOthersWithin5) {
  auto cluster = SimulatedCluster::Joined(2);
  cluster->Pass(absl::Seconds(2));
  (*cluster)[1].is_reporting = false;  // as SIGSTOP, or a lost network
  cluster->Pass(absl::Milliseconds(2900));
  EXPECT_THAT((*cluster)[0].link->failures, IsEmpty());
  cluster->Pass(absl::Milliseconds(1000));
  ASSERT_THAT((*cluster)[0].link->failures, SizeIs(1));
  const Failure& failure = (*cluster)[0].link->failures[0];
  EXPECT_EQ(failure.origin.id, HostId(1));
  EXPECT_EQ(failure.cause.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(failure.cause.message()),
              AllOf(HasSubstr("host 1 (b) is silent"), HasSubstr("3s"),
                    HasSubstr("b:1")));
  EXPECT_FALSE(failure.launch.has_value());
  EXPECT_EQ(StateOf(*cluster, 1), "silent");
  EXPECT_FALSE((*cluster)[1].link->closed->ok());
}

TEST(Liveness, AfterAPauseOfTheCoordinatorSilenceIsFoundInTime) {
  auto cluster = SimulatedCluster::Joined(2);
  cluster->Pass(absl::Seconds(2));
  cluster->clock.Advance(absl::Seconds(10));
  cluster->SendReports();  // before the first tick
  cluster->coordinator.Tick();
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Milliseconds(2900));
  EXPECT_THAT((*cluster)[0].link->failures, IsEmpty());
  cluster->Pass(absl::Milliseconds(1000));
  EXPECT_THAT((*cluster)[0].link->failures, SizeIs(1));
}

TEST(Liveness, ABrokenStreamAloneIsOnlySuspicion) {
  auto cluster = SimulatedCluster::Joined(2);
  cluster->coordinator.SetConnected(Incarnation(2), false);
  (*cluster)[1].is_reporting = false;
  cluster->Pass(absl::Seconds(2));
  EXPECT_EQ(StateOf(*cluster, 1), "suspect");
  cluster->coordinator.SetConnected(Incarnation(2), true);
  (*cluster)[1].is_reporting = true;
  cluster->SendReports();
  cluster->Pass(absl::Seconds(10));
  EXPECT_EQ(StateOf(*cluster, 1), "alive");
  EXPECT_THAT((*cluster)[0].link->failures, IsEmpty());
}

TEST(Liveness, ABrokenStreamAndAProcessThatIsGone_IsExitedAfter1Second) {
  CoordinatorOptions options;
  options.process_is_gone = [](const WorkerInfo& info) {
    return info.name == "b";
  };
  auto cluster = SimulatedCluster::Joined(2, 2, options);
  cluster->Pass(absl::Seconds(5));
  EXPECT_EQ(StateOf(*cluster, 1), "alive");
  (*cluster)[1].is_reporting = false;
  cluster->coordinator.SetConnected(Incarnation(2), false);
  cluster->Pass(absl::Milliseconds(900));
  EXPECT_THAT((*cluster)[0].link->failures, IsEmpty());
  cluster->Pass(absl::Milliseconds(100));
  ASSERT_THAT((*cluster)[0].link->failures, SizeIs(1));
  EXPECT_EQ(StateOf(*cluster, 1), "exited");
  EXPECT_THAT(std::string((*cluster)[0].link->failures[0].cause.message()),
              HasSubstr("host 1 (b) exited"));
}

// Its machine still holds the connection, or the end is not heard yet.
TEST(Liveness, AProcessThatIsGoneIsNotCalledSilent) {
  CoordinatorOptions options;
  options.process_is_gone = [](const WorkerInfo& info) {
    return info.name == "b";
  };
  auto cluster = SimulatedCluster::Joined(3, 3, options);
  (*cluster)[1].is_reporting = false;
  (*cluster)[2].is_reporting = false;
  cluster->Pass(absl::Seconds(4));
  EXPECT_EQ(StateOf(*cluster, 1), "exited");
  EXPECT_EQ(StateOf(*cluster, 2), "silent");
}

TEST(Liveness, ACoordinatorThatStoodStillBlamesNobody) {
  auto cluster = SimulatedCluster::Joined(2);
  cluster->Pass(absl::Seconds(1));
  cluster->clock.Advance(absl::Seconds(60));
  cluster->coordinator.Tick();
  EXPECT_THAT((*cluster)[0].link->failures, IsEmpty());
  cluster->Pass(absl::Seconds(5));
  EXPECT_EQ(StateOf(*cluster, 1), "alive");
}

TEST(Liveness, InALaunchWithoutMoving_IsStuck_NamedWithin5Seconds) {
  auto cluster = SimulatedCluster::Joined(4);
  for (int i : {0, 1, 2}) {
    (*cluster)[i].report.launches = {
        SimulatedCluster::At(5, LaunchPhase::kWaiting, 812, 4)};
  }
  (*cluster)[3].report.launches = {
      SimulatedCluster::At(5, LaunchPhase::kRunning, 811, 4)};
  cluster->SendReports();
  cluster->Pass(absl::Milliseconds(3800));
  EXPECT_THAT((*cluster)[0].link->named, IsEmpty());
  cluster->Pass(absl::Milliseconds(300));
  ASSERT_THAT((*cluster)[0].link->named, SizeIs(1));
  EXPECT_EQ((*cluster)[0].link->named[0].id, HostId(3));
  EXPECT_EQ((*cluster)[0].link->notices.back(),
            "host 3 (d) has not entered all_reduce #812 of launch 5 (step); 3 "
            "of 4 hosts are waiting since 4s; it is at all_reduce #811 of "
            "launch 5 (step)");
  EXPECT_EQ(StateOf(*cluster, 3), "stuck");
  EXPECT_THAT((*cluster)[0].link->failures, IsEmpty());
}

// On GPUs hosts meet before the first collective is on a device.
TEST(Liveness, AHostThatIsMissingAtTheStartOfALaunchIsNamed) {
  auto cluster = SimulatedCluster::Joined(4);
  for (int i : {0, 1}) {
    (*cluster)[i].report.launches = {
        SimulatedCluster::At(5, LaunchPhase::kWaiting, -1, 4)};
  }
  // Through the start already.
  (*cluster)[2].report.launches = {
      SimulatedCluster::At(5, LaunchPhase::kRunning, -1, 4)};
  (*cluster)[3].report.launches = {
      SimulatedCluster::At(5, LaunchPhase::kPreparing, -1, 4)};
  cluster->SendReports();
  cluster->Pass(absl::Milliseconds(4100));
  ASSERT_THAT((*cluster)[0].link->named, SizeIs(1));
  EXPECT_EQ((*cluster)[0].link->named[0].id, HostId(3));
  EXPECT_EQ((*cluster)[0].link->notices.back(),
            "host 3 (d) has not entered launch 5 (step); 2 of 4 hosts are "
            "waiting since 4s; it is at launch 5 (step)");
}

TEST(Liveness, AHostThatMovesIsNotStuck) {
  auto cluster = SimulatedCluster::Joined(2);
  (*cluster)[0].report.launches = {
      SimulatedCluster::At(5, LaunchPhase::kWaiting, 9, 2)};
  for (int i = 0; i < 10; ++i) {
    LaunchProgress moving =
        SimulatedCluster::At(5, LaunchPhase::kRunning, 8, 2);
    moving.thunk_count = i;
    (*cluster)[1].report.launches = {moving};
    cluster->Pass(absl::Seconds(1));
  }
  EXPECT_THAT((*cluster)[0].link->named, IsEmpty());
}

TEST(Liveness, AStuckHostFailsTheLaunchAfterStallAbort_ForAllParticipants) {
  CoordinatorOptions options;
  options.stall_abort = absl::Seconds(10);
  auto cluster = SimulatedCluster::Joined(2, 2, options);
  (*cluster)[0].report.launches = {
      SimulatedCluster::At(5, LaunchPhase::kWaiting, 3, 2)};
  (*cluster)[1].report.launches = {
      SimulatedCluster::At(5, LaunchPhase::kRunning, 2, 2)};
  cluster->SendReports();
  cluster->Pass(absl::Seconds(9));
  EXPECT_THAT((*cluster)[0].link->failures, IsEmpty());
  cluster->Pass(absl::Seconds(5));
  for (int i : {0, 1}) {
    ASSERT_THAT((*cluster)[i].link->failures, SizeIs(1));
    const Failure& failure = (*cluster)[i].link->failures[0];
    EXPECT_EQ(failure.origin.id, HostId(1));
    EXPECT_EQ(failure.launch->number, LaunchNumber(5));
    EXPECT_EQ(failure.cause.code(), absl::StatusCode::kDeadlineExceeded);
  }
  EXPECT_EQ(StateOf(*cluster, 1), "stuck");  // alive nevertheless
}

TEST(Liveness, NotYetInTheLaunch_IsLate_WithWhatItDoes) {
  CoordinatorOptions options;
  options.late_abort = absl::Seconds(12);
  auto cluster = SimulatedCluster::Joined(2, 2, options);
  (*cluster)[0].report.launches = {
      SimulatedCluster::At(5, LaunchPhase::kWaiting, 0, 2)};
  (*cluster)[1].report.launches = {
      SimulatedCluster::At(4, LaunchPhase::kDone, 7, 2)};
  cluster->SendReports();
  cluster->Pass(absl::Milliseconds(4200));
  EXPECT_EQ(StateOf(*cluster, 1), "late");
  EXPECT_THAT((*cluster)[0].link->notices.back(),
              AllOf(HasSubstr("host 1 (b) has not entered all_reduce #0 of "
                              "launch 5 (step)"),
                    HasSubstr("its last was all_reduce #7 of launch 4 "
                              "(step)")));
  cluster->coordinator.Busy(Incarnation(2), "a checkpoint", absl::Seconds(20));
  cluster->Pass(absl::Seconds(15));
  EXPECT_THAT((*cluster)[0].link->failures, IsEmpty());
  cluster->Pass(absl::Seconds(6));
  ASSERT_THAT((*cluster)[0].link->failures, SizeIs(1));
  // M-19, fewer launches: the host, its last launch, the launch of the others.
  EXPECT_THAT(std::string((*cluster)[0].link->failures[0].ToStatus().message()),
              AllOf(HasSubstr("host 1 (b)"), HasSubstr("launch 4"),
                    HasSubstr("launch 5")));
}

TEST(Liveness, WhatABusyHostAnnouncesEndsByItself) {
  CoordinatorOptions options;
  options.late_abort = absl::Seconds(12);
  auto cluster = SimulatedCluster::Joined(2, 2, options);
  (*cluster)[0].report.launches = {
      SimulatedCluster::At(5, LaunchPhase::kWaiting, 0, 2)};
  (*cluster)[1].report.launches = {
      SimulatedCluster::At(4, LaunchPhase::kDone, 7, 2)};
  Coordinator& coordinator = cluster->coordinator;
  coordinator.Busy(Incarnation(2), "a checkpoint", absl::Seconds(60));
  coordinator.Busy(Incarnation(2), "compiling", absl::Seconds(600));
  cluster->SendReports();
  cluster->Pass(absl::Milliseconds(4200));
  EXPECT_THAT((*cluster)[0].link->notices.back(),
              HasSubstr("busy with a checkpoint, compiling"));
  coordinator.Busy(Incarnation(2), "compiling", absl::ZeroDuration());
  cluster->Pass(absl::Seconds(50));
  EXPECT_THAT((*cluster)[0].link->failures, IsEmpty());
  cluster->Pass(absl::Seconds(10));
  EXPECT_THAT((*cluster)[0].link->failures, SizeIs(1));
}

TEST(Liveness, AHostThatCaughtUpIsAliveAgain_AndNamedAnewNextTime) {
  auto cluster = SimulatedCluster::Joined(2);
  for (int64_t launch : {5, 6}) {
    (*cluster)[0].report.launches = {
        SimulatedCluster::At(launch, LaunchPhase::kWaiting, 0, 2)};
    cluster->SendReports();
    cluster->Pass(absl::Milliseconds(4200));
    EXPECT_EQ(StateOf(*cluster, 1), "late");
    EXPECT_THAT((*cluster)[0].link->named, SizeIs(launch - 4));
    (*cluster)[0].report.launches = {
        SimulatedCluster::At(launch, LaunchPhase::kDone, 0, 2)};
    (*cluster)[1].report.launches = {
        SimulatedCluster::At(launch, LaunchPhase::kDone, 0, 2)};
    cluster->SendReports();
    cluster->Pass(absl::Seconds(1));
    EXPECT_EQ(StateOf(*cluster, 1), "alive");
  }
}

TEST(Liveness, AHostThatLeavesWhileOthersWaitForIt_FailsTheirLaunch) {
  auto cluster = SimulatedCluster::Joined(2);
  (*cluster)[1].report.launches = {
      SimulatedCluster::At(4, LaunchPhase::kDone, 7, 2)};
  cluster->SendReports();
  Answer<Nothing> left;
  cluster->coordinator.Leave(Incarnation(2), absl::ZeroDuration(), left.done());
  (*cluster)[0].report.launches = {
      SimulatedCluster::At(5, LaunchPhase::kWaiting, 0, 2)};
  cluster->SendReports();
  cluster->Pass(absl::Seconds(2));
  ASSERT_THAT((*cluster)[0].link->failures, SizeIs(1));
  const Failure& failure = (*cluster)[0].link->failures[0];
  EXPECT_EQ(failure.origin.id, HostId(1));
  EXPECT_EQ(failure.launch->number, LaunchNumber(5));
  EXPECT_THAT(std::string(failure.cause.message()),
              AllOf(HasSubstr("has left the cluster"), HasSubstr("launch 4"),
                    HasSubstr("launch 5")));
  EXPECT_EQ(failure.ToStatus().code(), absl::StatusCode::kAborted);
}

TEST(Liveness, AHostThatFinishedTheLaunchAndLeft_IsNoCulprit) {
  auto cluster = SimulatedCluster::Joined(2);
  (*cluster)[1].report.launches = {
      SimulatedCluster::At(5, LaunchPhase::kDone, 0, 2)};
  cluster->SendReports();
  Answer<Nothing> left;
  cluster->coordinator.Leave(Incarnation(2), absl::ZeroDuration(), left.done());
  (*cluster)[0].report.launches = {
      SimulatedCluster::At(5, LaunchPhase::kWaiting, 0, 2)};
  cluster->SendReports();
  cluster->Pass(absl::Seconds(3));
  EXPECT_THAT((*cluster)[0].link->failures, IsEmpty());
}

TEST(Liveness, AllWaitAndNobodyIsBehind_EndsAfterStallAbort) {
  CoordinatorOptions options;
  options.stall_abort = absl::Seconds(8);
  auto cluster = SimulatedCluster::Joined(2, 2, options);
  for (int i : {0, 1}) {
    (*cluster)[i].report.launches = {
        SimulatedCluster::At(5, LaunchPhase::kWaiting, 3, 2)};
  }
  cluster->Pass(absl::Seconds(10));
  ASSERT_THAT((*cluster)[0].link->failures, SizeIs(1));
  EXPECT_THAT(std::string((*cluster)[0].link->failures[0].cause.message()),
              HasSubstr("nobody is behind"));
}

TEST(Liveness, AHostThatWaitsForWhatTheOthersHavePassed_IsStuck) {
  CoordinatorOptions options;
  options.stall_abort = absl::Seconds(8);
  auto cluster = SimulatedCluster::Joined(2, 2, options);
  (*cluster)[0].report.launches = {
      SimulatedCluster::At(5, LaunchPhase::kWaiting, 3, 2)};
  (*cluster)[1].report.launches = {
      SimulatedCluster::At(5, LaunchPhase::kDone, 3, 2)};
  cluster->Pass(absl::Seconds(5));
  EXPECT_EQ(StateOf(*cluster, 0), "stuck");
  EXPECT_EQ(StateOf(*cluster, 1), "alive");
  EXPECT_THAT((*cluster)[0].link->failures, IsEmpty());
  cluster->Pass(absl::Seconds(5));
  ASSERT_THAT((*cluster)[0].link->failures, SizeIs(1));
  EXPECT_THAT(std::string((*cluster)[0].link->failures[0].cause.message()),
              AllOf(HasSubstr("host 0"), HasSubstr("nobody is behind")));
}

// A launch of program `name` in its own sequence, on two hosts.
LaunchProgress Pair(const std::string& name, uint64_t sequence, int first,
                    int second) {
  LaunchProgress progress =
      SimulatedCluster::At(1, LaunchPhase::kWaiting, 0, 0);
  progress.program = name;
  progress.launch.sequence = sequence;
  progress.participants = {HostId(first), HostId(second)};
  return progress;
}

TEST(Liveness, ThreeHostsInACircle_AllTheirLaunchesFail) {
  auto cluster = SimulatedCluster::Joined(3);
  (*cluster)[0].report.launches = {Pair("A", 1, 0, 1)};
  (*cluster)[1].report.launches = {Pair("B", 2, 1, 2)};
  (*cluster)[2].report.launches = {Pair("C", 3, 2, 0)};
  cluster->SendReports();
  cluster->Pass(absl::Milliseconds(4200));
  for (int i : {0, 1, 2}) {
    ASSERT_THAT((*cluster)[i].link->failures, SizeIs(2)) << i;
    // Its own wait last: it may go on to the other one then.
    EXPECT_EQ((*cluster)[i].link->failures[1].program,
              std::string(1, static_cast<char>('A' + i)));
    const absl::Status& cause = (*cluster)[i].link->failures[0].cause;
    EXPECT_EQ(cause.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(cause.message()),
                AllOf(HasSubstr("in a circle"),
                      HasSubstr("host 0 (a) waits in all_reduce #0 of launch "
                                "1 (A) for host 1 (b)"),
                      HasSubstr("launch 1 (B) for host 2 (c)"),
                      HasSubstr("launch 1 (C) for host 0 (a)")));
  }
}

// A host waits in a launch for one that waits at a meeting for it.
TEST(Liveness, ALaunchAndAMeetingInACircle_BothFail) {
  auto cluster = SimulatedCluster::Joined(2);
  (*cluster)[0].report.launches = {Pair("A", 1, 0, 1)};
  cluster->SendReports();
  AxisQuery query;
  query.call = {2, LaunchNumber(1)};
  query.key = MeetingKey(query.call);
  query.function = "g";
  query.axis_size = 2;
  query.description = {7, "g(0: tensor<f32>)"};
  Answer<SharedAxis> met;
  size_t known_before = 0;
  cluster->coordinator.ResolveAxis(
      Incarnation(2), query, absl::Seconds(600),
      [&, done = met.done()](absl::StatusOr<SharedAxis> result) {
        known_before = (*cluster)[1].link->failures.size();
        done(std::move(result));
      });
  cluster->Pass(absl::Milliseconds(3000));
  EXPECT_FALSE(met.has_come()) << met.message();
  cluster->Pass(absl::Milliseconds(3000));
  // The host may go on to launch A now.
  EXPECT_EQ(known_before, 1u);
  ASSERT_THAT((*cluster)[0].link->failures, SizeIs(testing::Ge(1)));
  for (const absl::Status& cause :
       {(*cluster)[0].link->failures[0].cause, met.status()}) {
    EXPECT_EQ(cause.code(), absl::StatusCode::kFailedPrecondition) << cause;
    EXPECT_THAT(
        std::string(cause.message()),
        AllOf(HasSubstr("in a circle"),
              HasSubstr("launch 1 (A) for host 1 (b)"),
              HasSubstr("of call 1, g(0: tensor<f32>) for host 0 (a)")));
  }
}

TEST(Liveness, ABusyHostMakesNoCircle) {
  auto cluster = SimulatedCluster::Joined(2);
  (*cluster)[0].report.launches = {Pair("A", 1, 0, 1)};
  (*cluster)[1].report.launches = {Pair("B", 2, 0, 1)};
  cluster->coordinator.Busy(Incarnation(1), "compiling", absl::Seconds(60));
  cluster->SendReports();
  cluster->Pass(absl::Seconds(10));
  EXPECT_THAT((*cluster)[0].link->failures, IsEmpty());
}

TEST(Liveness, AHostTheOthersWaitForMuchOfTheTimeIsSlow) {
  auto cluster = SimulatedCluster::Joined(3);
  for (int64_t launch = 1; launch <= 15; ++launch) {
    for (int i : {0, 1}) {
      LaunchProgress waiting =
          SimulatedCluster::At(launch, LaunchPhase::kWaiting, 0, 3);
      waiting.waiting_for = {HostId(2)};
      (*cluster)[i].report.launches = {waiting};
    }
    (*cluster)[2].report.launches = {
        SimulatedCluster::At(launch, LaunchPhase::kRunning, -1, 3)};
    cluster->Pass(absl::Seconds(1));
  }
  EXPECT_EQ(StateOf(*cluster, 2), "slow");
  EXPECT_EQ(StateOf(*cluster, 0), "alive");
}

// 0 waits for 1, which passes on what it gets from 2.
TEST(Liveness, WhoWaitsForTheSlowHostIsNotSlow) {
  auto cluster = SimulatedCluster::Joined(3);
  for (int64_t launch = 1; launch <= 15; ++launch) {
    for (int i : {0, 1}) {
      LaunchProgress waiting =
          SimulatedCluster::At(launch, LaunchPhase::kWaiting, 0, 3);
      waiting.waiting_for = {HostId(i + 1)};
      (*cluster)[i].report.launches = {waiting};
    }
    (*cluster)[2].report.launches = {
        SimulatedCluster::At(launch, LaunchPhase::kRunning, -1, 3)};
    cluster->Pass(absl::Seconds(1));
  }
  EXPECT_EQ(StateOf(*cluster, 1), "alive");
  EXPECT_EQ(StateOf(*cluster, 2), "slow");
}

HostProgress Reported(int host, LaunchProgress progress,
                      absl::Time since = absl::UnixEpoch()) {
  HostProgress reported;
  reported.host = {HostId(host), "h", Incarnation(1)};
  reported.launches = {{std::move(progress), since}};
  return reported;
}

TEST(LaunchWaits, AHostThatWaitsItselfIsNoCulprit) {
  // 1 waits for 2 in an earlier collective; 0 waits for both.
  const auto waits = FindLaunchWaits(
      {Reported(0, SimulatedCluster::At(2, LaunchPhase::kWaiting, 5, 3)),
       Reported(1, SimulatedCluster::At(2, LaunchPhase::kWaiting, 4, 3)),
       Reported(2, SimulatedCluster::At(2, LaunchPhase::kRunning, 3, 3))});
  ASSERT_THAT(waits, SizeIs(1));
  EXPECT_THAT(waits[0].waiting, ElementsAre(HostId(0), HostId(1)));
  ASSERT_THAT(waits[0].culprits, SizeIs(1));
  EXPECT_EQ(waits[0].culprits[0].host, HostId(2));
  EXPECT_TRUE(waits[0].culprits[0].has_entered);
  EXPECT_EQ(waits[0].where.collective, 4);
}

TEST(LaunchWaits, WhomTheWaiterNamesIsPreferred) {
  LaunchProgress waiting = SimulatedCluster::At(2, LaunchPhase::kWaiting, 5, 3);
  waiting.waiting_for = {HostId(2)};
  const auto waits = FindLaunchWaits({Reported(0, waiting)});
  ASSERT_THAT(waits, SizeIs(1));
  ASSERT_THAT(waits[0].culprits, SizeIs(1));
  EXPECT_EQ(waits[0].culprits[0].host, HostId(2));
  EXPECT_FALSE(waits[0].culprits[0].has_entered);
}

// 0 waits for 1, which waits for 2; 3 is late, too, but nobody waits for it.
TEST(LaunchWaits, TheEndOfAChainOfWaitsIsTheCulprit) {
  std::vector<HostProgress> hosts;
  for (int host : {0, 1}) {
    LaunchProgress waiting =
        SimulatedCluster::At(2, LaunchPhase::kWaiting, 5, 4);
    waiting.waiting_for = {HostId(host + 1)};
    hosts.push_back(Reported(host, waiting));
  }
  const auto waits = FindLaunchWaits(hosts);
  ASSERT_THAT(waits, SizeIs(1));
  ASSERT_THAT(waits[0].culprits, SizeIs(1));
  EXPECT_EQ(waits[0].culprits[0].host, HostId(2));
}

TEST(LaunchWaits, HostsAheadAreNoCulprits) {
  const auto waits = FindLaunchWaits(
      {Reported(0, SimulatedCluster::At(2, LaunchPhase::kWaiting, 5, 2)),
       Reported(1, SimulatedCluster::At(3, LaunchPhase::kRunning, 0, 2))});
  ASSERT_THAT(waits, SizeIs(1));
  EXPECT_THAT(waits[0].waiting, ElementsAre(HostId(0)));
  EXPECT_THAT(waits[0].culprits, IsEmpty());
}

}  // namespace
}  // namespace lockstep::internal
