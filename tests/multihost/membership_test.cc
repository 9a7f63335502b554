// Who may join, who is waited for, and who comes back.
#include <signal.h>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/process_cluster.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::vector<std::string> WorkerArguments(const ProcessCluster& cluster,
                                         const std::string& name) {
  return {
      "worker", "--coordinator", cluster.address(), "--name", name, "--devices",
      "2"};
}

// M-17.
TEST(MembershipTest, StatusShowsEveryHost) {
  ProcessCluster cluster({});
  CommandResult result =
      RunLockstep({"status", "--json", "--coordinator", cluster.address()});
  ASSERT_EQ(result.exit, ExitStatus()) << result.err;
  for (const char* field :
       {"host_id", "name", "pid", "address", "incarnation", "state", "devices",
        "program", "launch", "collective", "last_progress_s"}) {
    EXPECT_THAT(result.out, HasSubstr(absl::StrCat("\"", field, "\":")));
  }
  StatusReport report = cluster.AwaitStatus(
      "both hosts", [](const StatusReport& r) { return r.hosts.size() == 2; });
  EXPECT_EQ(report.hosts[0].name, "worker-0");
  EXPECT_EQ(report.hosts[0].pid, cluster.worker(0).pid());
  EXPECT_EQ(report.hosts[0].devices, (std::vector<int>{0, 1}));
  EXPECT_EQ(report.hosts[1].devices, (std::vector<int>{2, 3}));
}

// M-17.
TEST(MembershipTest, SecondWorkerOfANameIsRefused) {
  ProcessCluster cluster({});
  CommandResult result = RunLockstep(WorkerArguments(cluster, "worker-0"));
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("ALREADY_EXISTS"), HasSubstr("worker-0")));
  EXPECT_TRUE(cluster.worker(0).is_running());
}

// M-17.
TEST(MembershipTest, MoreHostsThanExpectedAreRefused) {
  ProcessCluster cluster({});
  CommandResult result = RunLockstep(WorkerArguments(cluster, "extra"));
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("FAILED_PRECONDITION"), HasSubstr("extra")));
}

// M-17.
TEST(MembershipTest, WorkerThatNeverComesIsMissedAtTheDeadline) {
  ProcessCluster::Options options;
  options.hosts = 2;
  options.workers = 1;
  options.coordinator_flags = {"--join-deadline=1s"};
  ProcessCluster cluster(options);
  absl::StatusOr<std::string> line =
      cluster.worker(0).AwaitReady(absl::Now() + absl::Seconds(60));
  EXPECT_EQ(line.status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_THAT(line.status().message(), HasSubstr("1 of 2"));
}

// M-17.
TEST(MembershipTest, StatusSaysWhoIsMissing) {
  ProcessCluster::Options options;
  options.hosts = 2;
  options.workers = 1;
  ProcessCluster cluster(options);
  cluster.AwaitStatus("one host waiting", [](const StatusReport& report) {
    return !report.is_formed && report.hosts.size() == 1 &&
           !report.notices.empty() &&
           report.notices[0].find("1 of 2") != std::string::npos;
  });
  cluster.StartWorker(1);  // late
  cluster.AwaitJoined();
}

// M-26.
TEST(MembershipTest, RestartedWorkerGetsItsIdsBackWithANewIncarnation) {
  ProcessCluster cluster({});
  auto is_alive = [](const StatusReport& report) {
    return report.hosts.size() == 2 && report.hosts[1].state == "alive";
  };
  StatusReport before = cluster.AwaitStatus("both alive", is_alive);
  cluster.worker(1).Signal(SIGKILL);
  cluster.AwaitStatus("host 1 exited", [](const StatusReport& report) {
    return report.hosts[1].state == "exited";
  });
  cluster.StartWorker(1);
  cluster.AwaitJoined(1);
  StatusReport after = cluster.AwaitStatus("both alive", is_alive);
  EXPECT_EQ(after.hosts[1].host_id, 1);
  EXPECT_EQ(after.hosts[1].devices, before.hosts[1].devices);
  EXPECT_NE(after.hosts[1].incarnation, before.hosts[1].incarnation);
  EXPECT_GT(after.epoch, before.epoch);
}

TEST(MembershipTest, DownWhileHostsAreWaitedForEndsEveryProcess) {
  ProcessCluster::Options options;
  options.hosts = 3;
  options.workers = 2;
  ProcessCluster cluster(options);
  cluster.AwaitStatus("two hosts waiting", [](const StatusReport& report) {
    return report.hosts.size() == 2;
  });
  CommandResult result =
      RunLockstep({"down", "--coordinator", cluster.address()});
  EXPECT_EQ(result.exit, ExitStatus()) << result.err;
  // Less than any time limit of a join.
  absl::Time deadline = absl::Now() + absl::Seconds(20);
  for (int rank : {0, 1}) {
    EXPECT_EQ(cluster.worker(rank).AwaitExit(deadline), ExitStatus{.code = 1});
  }
  EXPECT_EQ(cluster.coordinator().AwaitExit(deadline), ExitStatus());
}

// M-18. Their kernels may add in different orders.
TEST(MembershipTest, HostsOfDifferentCpuTargetsDoNotAgree) {
  ProcessCluster::Options options;
  options.workers = 0;
  ProcessCluster cluster(options);
  cluster.StartWorker(0, {"--cpu-target=x86-64-v2"});
  cluster.StartWorker(1, {"--cpu-target=host"});
  cluster.AwaitJoined();
  ScratchDirectory scratch;
  CommandResult result = RunLockstep(
      {"run", scratch.Write("sum.mlir", SumProgram(4)), "--coordinator",
       cluster.address(), "--input", scratch.WriteNpy("x.npy", Ramp(4)),
       "--output-dir", scratch.path() + "/out"});
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.err, AllOf(HasSubstr("first difference in backend"),
                                HasSubstr("x86-64-v2")));
}

TEST(MembershipTest, DownEndsEveryProcess) {
  ProcessCluster cluster({});
  CommandResult result =
      RunLockstep({"down", "--coordinator", cluster.address()});
  EXPECT_EQ(result.exit, ExitStatus()) << result.err;
  absl::Time deadline = absl::Now() + absl::Seconds(60);
  for (int rank : {0, 1}) {
    EXPECT_EQ(cluster.worker(rank).AwaitExit(deadline), ExitStatus());
  }
  EXPECT_EQ(cluster.coordinator().AwaitExit(deadline), ExitStatus());
}

}  // namespace
}  // namespace lockstep::internal
