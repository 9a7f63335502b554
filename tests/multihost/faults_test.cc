// Hosts and coordinators that die, stop or never come, in the middle of a
// collective: everybody else gets an error that names them, and goes on.
#include <signal.h>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/types/npy.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/process_cluster.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

absl::Time Soon() { return absl::Now() + absl::Seconds(60); }

// Of a cluster of two hosts.
int AllDevices() { return 2 * DevicesPerHost(); }

class FaultsTest : public ::testing::Test {
 protected:
  std::vector<std::string> RunArguments(const ProcessCluster& cluster,
                                        const std::string& program,
                                        int replicas) {
    return {"run",           scratch_.Write("program.mlir", program),
            "--input",       scratch_.WriteNpy("x.npy", Ramp(replicas)),
            "--output-dir",  scratch_.path() + "/out",
            "--coordinator", cluster.address()};
  }

  // In every host, in the middle of a collective, until something happens.
  ChildProcess StartEndless(ProcessCluster& cluster, int replicas) {
    return StartEndless(cluster, EndlessProgram(replicas), replicas);
  }
  ChildProcess StartEndless(ProcessCluster& cluster, const std::string& program,
                            int replicas) {
    ChildProcess run = StartLockstep(
        "lockstep run", RunArguments(cluster, program, replicas), true);
    cluster.AwaitAllInCollective();
    return run;
  }

  void ExpectSumWorks(const ProcessCluster& cluster, int replicas) {
    CommandResult result =
        RunLockstep(RunArguments(cluster, SumProgram(replicas), replicas));
    ASSERT_EQ(result.exit, ExitStatus()) << result.err;
    auto sum = ReadNpyFile(scratch_.path() + "/out/0.npy");
    ASSERT_TRUE(sum.ok()) << sum.status();
    std::vector<float> expected(replicas, replicas * (replicas - 1) / 2.0f);
    EXPECT_EQ(sum->data<float>(), absl::MakeConstSpan(expected));
  }

  ScratchDirectory scratch_;
};

// M-23, M-24.
TEST_F(FaultsTest, KilledWorkerIsNamedAndTheOthersGoOn) {
  ProcessCluster cluster({});
  ChildProcess run = StartEndless(cluster, AllDevices());
  cluster.worker(1).Signal(SIGKILL);
  absl::Time killed = absl::Now();
  CommandResult result = Finish(run);
  EXPECT_LT(absl::Now() - killed, absl::Seconds(5));
  EXPECT_EQ(result.exit, ExitStatus{.code = 1}) << result.err;
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("ABORTED"), HasSubstr("host 1 (worker-1)")));

  ExpectSumWorks(cluster, DevicesPerHost());  // on the devices of host 0
  EXPECT_TRUE(cluster.worker(0).is_running());

  cluster.StartWorker(1);
  cluster.AwaitJoined(1);
  ExpectSumWorks(cluster, AllDevices());
}

// M-23.
TEST_F(FaultsTest, KilledWorkerIsNamedByCollectivesBesideOtherWork) {
  ProcessCluster cluster({});
  ChildProcess run = StartEndless(
      cluster, EndlessOverlappedProgram(AllDevices()), AllDevices());
  cluster.worker(1).Signal(SIGKILL);
  absl::Time killed = absl::Now();
  CommandResult result = Finish(run);
  EXPECT_LT(absl::Now() - killed, absl::Seconds(5));
  EXPECT_EQ(result.exit, ExitStatus{.code = 1}) << result.err;
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("ABORTED"), HasSubstr("host 1 (worker-1)")));
  ExpectSumWorks(cluster, DevicesPerHost());  // on the devices of host 0
}

// M-23.
TEST_F(FaultsTest, StoppedWorkerIsNamedByCollectivesBesideOtherWork) {
  ProcessCluster cluster({});
  ChildProcess run = StartEndless(
      cluster, EndlessOverlappedProgram(AllDevices()), AllDevices());
  cluster.worker(1).Signal(SIGSTOP);
  absl::Time stopped = absl::Now();
  CommandResult result = Finish(run);
  EXPECT_LT(absl::Now() - stopped, absl::Seconds(5));
  EXPECT_EQ(result.exit, ExitStatus{.code = 1}) << result.err;
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("ABORTED"), HasSubstr("host 1 (worker-1)"),
                    HasSubstr("silent")));
  ExpectSumWorks(cluster, DevicesPerHost());
  cluster.worker(1).Signal(SIGCONT);
}

// M-23, M-24.
TEST_F(FaultsTest, StoppedWorkerIsNamedWithinFiveSeconds) {
  ProcessCluster cluster({});
  ChildProcess run = StartEndless(cluster, AllDevices());
  cluster.worker(1).Signal(SIGSTOP);
  absl::Time stopped = absl::Now();
  CommandResult result = Finish(run);
  EXPECT_LT(absl::Now() - stopped, absl::Seconds(5));
  EXPECT_EQ(result.exit, ExitStatus{.code = 1}) << result.err;
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("ABORTED"), HasSubstr("host 1 (worker-1)"),
                    HasSubstr("silent")));
  ExpectSumWorks(cluster, DevicesPerHost());

  // It wakes up as a stale life of its host: refused, and it ends.
  cluster.worker(1).Signal(SIGCONT);
  // Not by the grace for a coordinator that is gone, which is a minute.
  std::optional<ExitStatus> exit =
      cluster.worker(1).AwaitExit(absl::Now() + absl::Seconds(30));
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(*exit, ExitStatus{.code = 1});
  cluster.StartWorker(1);
  cluster.AwaitJoined(1);
  ExpectSumWorks(cluster, AllDevices());
}

// M-24.
TEST_F(FaultsTest, KilledCoordinatorEndsClientsAndWorkers) {
  ProcessCluster::Options options;
  options.worker_flags = {"--coordinator-grace=2s"};
  ProcessCluster cluster(options);
  ChildProcess run = StartEndless(cluster, AllDevices());
  cluster.coordinator().Signal(SIGKILL);
  CommandResult result = Finish(run);
  EXPECT_EQ(result.exit, ExitStatus{.code = 3}) << result.err;
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("UNAVAILABLE"), HasSubstr(cluster.address())));
  for (int rank : {0, 1}) {
    std::optional<ExitStatus> exit = cluster.worker(rank).AwaitExit(Soon());
    ASSERT_TRUE(exit.has_value()) << "worker " << rank << " is left";
    EXPECT_EQ(*exit, ExitStatus{.code = 3});
  }
}

TEST_F(FaultsTest, WorkerThatIsAskedToEndLeavesAtOnce) {
  ProcessCluster cluster({});
  absl::Time asked = absl::Now();
  EXPECT_EQ(cluster.worker(1).Terminate(absl::Seconds(60)), ExitStatus());
  EXPECT_LT(absl::Now() - asked, absl::Seconds(10));
  ExpectSumWorks(cluster, DevicesPerHost());
  cluster.AwaitStatus("host 1 left", [](const StatusReport& report) {
    return report.hosts.size() == 2 && report.hosts[1].state == "left";
  });
}

// M-23.
TEST_F(FaultsTest, WorkerThatLeavesInACollectiveIsNamed) {
  ProcessCluster cluster({});
  ChildProcess run = StartEndless(cluster, AllDevices());
  EXPECT_EQ(cluster.worker(1).Terminate(absl::Seconds(60)), ExitStatus());
  CommandResult result = Finish(run);
  EXPECT_EQ(result.exit, ExitStatus{.code = 1}) << result.err;
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("ABORTED"), HasSubstr("host 1 (worker-1)"),
                    HasSubstr("asked to end")));
  ExpectSumWorks(cluster, DevicesPerHost());
}

TEST_F(FaultsTest, LaunchOnADeadHostSaysSo) {
  ProcessCluster cluster({});
  cluster.worker(1).Signal(SIGKILL);
  cluster.AwaitStatus("host 1 exited", [](const StatusReport& report) {
    return report.hosts.size() == 2 && report.hosts[1].state == "exited";
  });
  CommandResult result = RunLockstep(
      RunArguments(cluster, SumProgram(AllDevices()), AllDevices()));
  EXPECT_NE(result.exit, ExitStatus());
  EXPECT_THAT(result.err, HasSubstr("host 1 (worker-1)"));
}

// M-24.
TEST_F(FaultsTest, RaisedLimitsKeepTheFirstCause) {
  ProcessCluster::Options options;
  options.coordinator_flags = {"--silence=9s", "--exited-after=9s"};
  ProcessCluster cluster(options);
  ChildProcess run = StartEndless(cluster, AllDevices());
  cluster.worker(1).Signal(SIGKILL);
  CommandResult result = Finish(run);
  EXPECT_EQ(result.exit, ExitStatus{.code = 1}) << result.err;
  EXPECT_THAT(
      result.err,
      AllOf(HasSubstr("ABORTED: ended by host 1 (worker-1)"),
            HasSubstr("host 1 (worker-1) exited"), HasSubstr("last report 9")));
}

TEST_F(FaultsTest, TheFirstLaunchOnManyHostsFindsThemReady) {
  ProcessCluster::Options options;
  options.hosts = 32;
  options.devices_per_host = 1;
  ProcessCluster cluster(options);
  ExpectSumWorks(cluster, 32);
}

}  // namespace
}  // namespace lockstep::internal
