// Whoever connects to a port of a running cluster without belonging to it.
#include "tests/multihost/strangers.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/process_cluster.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

// Both with and without TLS.
class StrangersTest : public ::testing::TestWithParam<bool> {
 protected:
  StrangersTest() {
    program_ = scratch_.Write("sum.mlir", SumProgram(4));
    endless_ = scratch_.Write("endless.mlir", EndlessProgram(4));
    input_ = scratch_.WriteNpy("x.npy", Ramp(4));
    if (GetParam()) {
      const std::string folder = scratch_.path() + "/security";
      EXPECT_EQ(RunLockstep({"credentials", folder}).exit, ExitStatus());
      setenv("LOCKSTEP_SECURITY_DIR", folder.c_str(), 1);
    }
  }
  ~StrangersTest() override { unsetenv("LOCKSTEP_SECURITY_DIR"); }

  std::vector<std::string> RunOf(const std::string& program,
                                 const ProcessCluster& cluster) {
    return {"run",
            program,
            "--input",
            input_,
            "--print",
            "--coordinator",
            cluster.address(),
            "--output-dir",
            scratch_.path() + "/out"};
  }
  static std::vector<pid_t> Processes(ProcessCluster& cluster) {
    return {cluster.coordinator().pid(), cluster.worker(0).pid(),
            cluster.worker(1).pid()};
  }

  ScratchDirectory scratch_;
  std::string program_, endless_, input_;
};

TEST_P(StrangersTest, DoNotDisturbAClusterAtWork) {
  ProcessCluster cluster(ProcessCluster::Options{});
  // Both hosts are connected and exchange messages all the time.
  ChildProcess busy = StartLockstep("endless", RunOf(endless_, cluster), true);
  cluster.AwaitAllInCollective();
  std::vector<int> files;
  for (pid_t process : Processes(cluster)) files.push_back(OpenFiles(process));
  Strangers strangers;
  for (pid_t process : Processes(cluster)) {
    const std::vector<int> ports = ListeningPorts(process);
    EXPECT_FALSE(ports.empty());
    for (int port : ports) strangers.Harass(port, 120);
  }
  EXPECT_EQ(strangers.AwaitClosed(), 0);
  const StatusReport report = cluster.AwaitAllInCollective();
  for (const StatusReport::Host& host : report.hosts) {
    EXPECT_EQ(host.state, "alive") << host.state_reason;
  }
  EXPECT_TRUE(busy.is_running());
  busy.Terminate(absl::Seconds(5));
  const CommandResult run = RunLockstep(RunOf(program_, cluster));
  EXPECT_EQ(run.exit, ExitStatus()) << run.err;
  EXPECT_THAT(run.out, HasSubstr("[6. 6. 6. 6.]"));
}

// More connections than the process may have files.
TEST_P(StrangersTest, CannotUseUpTheFilesOfACluster) {
  // Of this process, and of those that it starts.
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = few.rlim_max = 200;
  ProcessCluster cluster(ProcessCluster::Options{});
  for (pid_t process : Processes(cluster)) {
    ASSERT_EQ(prlimit(process, RLIMIT_NOFILE, &few, nullptr), 0);
  }
  {
    Strangers strangers;
    for (pid_t process : Processes(cluster)) {
      for (int port : ListeningPorts(process)) strangers.Harass(port, 400);
    }
    EXPECT_EQ(strangers.AwaitClosed(), 0);
  }
  const CommandResult run = RunLockstep(RunOf(program_, cluster));
  EXPECT_EQ(run.exit, ExitStatus()) << run.err;
  EXPECT_THAT(run.out, HasSubstr("[6. 6. 6. 6.]"));
}

INSTANTIATE_TEST_SUITE_P(Tls, StrangersTest, ::testing::Bool(),
                         [](const auto& info) {
                           return info.param ? "With" : "Without";
                         });

}  // namespace
}  // namespace lockstep::internal
