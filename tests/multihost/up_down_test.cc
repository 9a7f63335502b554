// A cluster of `lockstep up`, as its user sees it.
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "client/cli/cluster_state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

absl::Time Soon() { return absl::Now() + absl::Seconds(60); }

class UpDownTest : public ::testing::Test {
 protected:
  UpDownTest() { setenv("XDG_RUNTIME_DIR", scratch_.path().c_str(), 1); }
  ~UpDownTest() override {
    RunLockstep({"down"});
    EXPECT_EQ(LeftProcesses(), std::vector<std::string>());
  }

  ClusterState State() {
    auto directory = StateDirectory::Open();
    EXPECT_TRUE(directory.ok()) << directory.status();
    auto state = directory->Read();
    return state.ok() ? state->value_or(ClusterState()) : ClusterState();
  }

  ScratchDirectory scratch_;
};

TEST_F(UpDownTest, UpSaysWhereTheClusterIsAndDownEndsIt) {
  CommandResult up =
      RunLockstep({"up", "--hosts", "2", "--devices-per-host", "4"});
  ASSERT_EQ(up.exit, ExitStatus()) << up.err;
  EXPECT_THAT(up.out, MatchesRegex("cluster ready at 127\\.0\\.0\\.1:[0-9]+: 2 "
                                   "hosts, 8 devices\n"));
  ClusterState state = State();
  EXPECT_EQ(state.Alive().size(), 3u);
  EXPECT_TRUE(IsListening(state.address));

  CommandResult status = RunLockstep({"status"});
  EXPECT_EQ(status.exit, ExitStatus()) << status.err;
  EXPECT_THAT(status.out, HasSubstr("2 of 2 hosts, 8 devices"));

  CommandResult down = RunLockstep({"down"});
  EXPECT_EQ(down.exit, ExitStatus()) << down.err;
  EXPECT_EQ(down.out, absl::StrCat("cluster at ", state.address,
                                   " ended: 3 processes\n"));
  EXPECT_FALSE(IsListening(state.address));
}

TEST_F(UpDownTest, SecondUpNamesTheRunningCluster) {
  ASSERT_EQ(RunLockstep({"up"}).exit, ExitStatus());
  CommandResult second = RunLockstep({"up"});
  EXPECT_EQ(second.exit, ExitStatus{.code = 1});
  EXPECT_THAT(second.err,
              AllOf(HasSubstr("ALREADY_EXISTS"), HasSubstr(State().address)));
}

TEST_F(UpDownTest, UpBesideAnotherSaysThatItWaitsAndEndsWhenAsked) {
  auto directory = StateDirectory::Open();
  ASSERT_TRUE(directory.ok()) << directory.status();
  ASSERT_TRUE(*directory->TryLock());
  ChildProcess up = StartLockstep("up", {"up"}, true);
  EXPECT_THAT(ReadLine(up.stderr_fd()),
              HasSubstr("waiting for another `lockstep up`"));
  up.Signal(SIGTERM);
  const CommandResult result = Finish(up);
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.err, HasSubstr("interrupted; nothing was started"));
  directory->Unlock();
}

TEST_F(UpDownTest, RemainsOfABrokenClusterAreClearedAway) {
  ASSERT_EQ(RunLockstep({"up"}).exit, ExitStatus());
  ClusterState broken = State();
  broken.processes[0].ref.Signal(SIGKILL);
  ASSERT_TRUE(broken.processes[0].ref.AwaitExit(Soon()));

  CommandResult status = RunLockstep({"status"});
  EXPECT_EQ(status.exit, ExitStatus{.code = 3});
  EXPECT_THAT(status.err, HasSubstr(broken.address));

  CommandResult up = RunLockstep({"up"});
  EXPECT_EQ(up.exit, ExitStatus()) << up.err;
  EXPECT_TRUE(broken.Alive().empty());
  EXPECT_EQ(State().Alive().size(), 2u);
}

TEST_F(UpDownTest, DownWithoutAClusterIsFine) {
  CommandResult down = RunLockstep({"down"});
  EXPECT_EQ(down.exit, ExitStatus());
  EXPECT_EQ(down.out, "no cluster is running\n");
}

TEST_F(UpDownTest, DownForcesAStoppedWorkerAsWell) {
  ASSERT_EQ(RunLockstep({"up", "--hosts", "2"}).exit, ExitStatus());
  ClusterState state = State();
  state.processes[1].ref.Signal(SIGSTOP);
  CommandResult down = RunLockstep({"down", "--grace", "1"});
  EXPECT_EQ(down.exit, ExitStatus()) << down.err;
  EXPECT_TRUE(state.Alive().empty());
}

// Workers that never come: their program sleeps.
TEST_F(UpDownTest, DownWhileHostsAreWaitedForLeavesNothing) {
  const std::string program = scratch_.Write(
      "never-ready",
      absl::StrCat("#!/bin/sh\n[ \"$1\" = worker ] && exec sleep "
                   "600\nexec ",
                   LockstepPath(), " \"$@\"\n"));
  ASSERT_EQ(chmod(program.c_str(), 0700), 0);
  ChildProcess up = StartLockstep("up", {"up", "--hosts", "2"}, true, {},
                                  {{"LOCKSTEP_BINARY", program}});
  const absl::Time deadline = Soon();
  while (State().processes.size() < 3 && absl::Now() < deadline) {
    up.AwaitExit(absl::Now() + absl::Milliseconds(10));
  }
  const ClusterState state = State();
  ASSERT_EQ(state.processes.size(), 3u);

  const absl::Time start = absl::Now();
  const CommandResult down = RunLockstep({"down"});
  EXPECT_EQ(down.exit, ExitStatus()) << down.err;
  EXPECT_THAT(down.out, AllOf(HasSubstr(absl::StrCat("pid ", up.pid())),
                              HasSubstr("has ended")));
  EXPECT_LT(absl::Now() - start, absl::Seconds(20));
  EXPECT_TRUE(state.Alive().empty());
  const CommandResult result = Finish(up);
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_THAT(result.err, HasSubstr("nothing is left running"));
}

// As on a full disk: no byte can be written to a file.
TEST_F(UpDownTest, UpInAFolderThatTakesNothingFailsAndLeavesNothing) {
  ChildProcess::Options options;
  options.name = "up";
  options.arguments = {
      "/bin/sh", "-c",
      absl::StrCat("ulimit -f 0; exec ", LockstepPath(), " up --hosts 2")};
  options.environment = {{"LOCKSTEP_TEST_MARK", absl::StrCat(getpid())},
                         {"LOCKSTEP_BINARY", LockstepPath()}};
  options.captures_stdout = true;
  options.captures_stderr = true;
  absl::StatusOr<ChildProcess> up = ChildProcess::Spawn(options);
  ASSERT_TRUE(up.ok()) << up.status();
  const CommandResult result = Finish(*up);
  EXPECT_EQ(result.exit, ExitStatus{.code = 1});
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, AllOf(HasSubstr("cannot write " + scratch_.path()),
                                HasSubstr("File too large")));
  EXPECT_EQ(LeftProcesses(), std::vector<std::string>());
}

TEST_F(UpDownTest, ForegroundClusterEndsWithTheInterrupt) {
  ChildProcess up = StartLockstep("up", {"up", "--foreground"}, true);
  EXPECT_THAT(ReadLine(up.stdout_fd()), HasSubstr("cluster ready at"));
  up.Signal(SIGINT);
  const CommandResult result = Finish(up);
  EXPECT_EQ(result.exit, ExitStatus()) << result.err;
}

TEST_F(UpDownTest, ForegroundClusterDiesWithItsProcess) {
  ChildProcess up = StartLockstep("up", {"up", "--foreground"}, true);
  EXPECT_THAT(ReadLine(up.stdout_fd()), HasSubstr("cluster ready at"));
  std::vector<ClusterState::Process> processes = State().processes;
  ASSERT_EQ(processes.size(), 2u);
  up.Signal(SIGKILL);
  for (const auto& process : processes) {
    EXPECT_TRUE(process.ref.AwaitExit(Soon())) << process.name;
  }
}

}  // namespace
}  // namespace lockstep::internal
