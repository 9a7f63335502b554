#include "client/process/child_process.h"

#include <signal.h>
#include <unistd.h>

#include <thread>

#include "absl/strings/numbers.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

absl::Time Soon() { return absl::Now() + absl::Seconds(30); }

ChildProcess::Options Shell(const std::string& script) {
  ChildProcess::Options options;
  options.name = "child";
  options.arguments = {"/bin/sh", "-c", script};
  return options;
}

std::string ReadAll(int fd) {
  std::string text;
  char buffer[256];
  ssize_t n;
  while ((n = read(fd, buffer, sizeof buffer)) > 0) text.append(buffer, n);
  return text;
}

TEST(ChildProcessTest, ReadyDetailReachesTheParent) {
  auto child = ChildProcess::Spawn(
      Shell("echo ready 127.0.0.1:47 >&$LOCKSTEP_READY_FD; exec sleep 1000"));
  ASSERT_TRUE(child.ok()) << child.status();
  auto line = child->AwaitReady(Soon());
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_EQ(*line, "127.0.0.1:47");
  EXPECT_TRUE(child->is_running());
}

TEST(ChildProcessTest, FailureOfTheChildArrivesAsItsStatus) {
  auto child = ChildProcess::Spawn(
      Shell("echo error 6 the name a is taken >&$LOCKSTEP_READY_FD"));
  ASSERT_TRUE(child.ok()) << child.status();
  auto line = child->AwaitReady(Soon());
  EXPECT_EQ(line.status(),
            absl::AlreadyExistsError("child: the name a is taken"));
}

TEST(ChildProcessTest, DeathBeforeReadySaysHow) {
  auto child = ChildProcess::Spawn(Shell("exit 7"));
  ASSERT_TRUE(child.ok()) << child.status();
  auto line = child->AwaitReady(Soon());
  EXPECT_EQ(line.status(),
            absl::UnavailableError(
                "child: ended before it was ready: exited with code 7"));
}

TEST(ChildProcessTest, SilenceEndsAtTheDeadline) {
  auto child = ChildProcess::Spawn(Shell("exec sleep 1000"));
  ASSERT_TRUE(child.ok()) << child.status();
  auto line = child->AwaitReady(absl::Now());
  EXPECT_EQ(line.status(),
            absl::DeadlineExceededError("child: was not ready in time"));
}

TEST(ChildProcessTest, FailureOfOneEndsTheWaitForAll) {
  auto silent = ChildProcess::Spawn(Shell("exec sleep 1000"));
  auto broken = ChildProcess::Spawn(Shell("exit 3"));
  ASSERT_TRUE(silent.ok() && broken.ok());
  EXPECT_EQ(AwaitAllReady({&*silent, &*broken}, Soon()),
            absl::UnavailableError(
                "child: ended before it was ready: exited with code 3"));
}

TEST(ChildProcessTest, ProgramThatDoesNotExistIsAnErrorOfSpawn) {
  ChildProcess::Options options;
  options.name = "worker 1";
  options.arguments = {"/does/not/exist"};
  auto child = ChildProcess::Spawn(options);
  EXPECT_EQ(child.status(),
            absl::NotFoundError("worker 1: cannot execute /does/not/exist: No "
                                "such file or directory"));
}

TEST(ChildProcessTest, TerminateKillsAChildThatIgnoresTheRequest) {
  auto child = ChildProcess::Spawn(
      Shell("trap '' TERM; echo ready >&$LOCKSTEP_READY_FD; "
            "while true; do sleep 1000; done"));
  ASSERT_TRUE(child.ok()) << child.status();
  auto line = child->AwaitReady(Soon());
  EXPECT_EQ(child->Terminate(absl::Milliseconds(50)),
            (ExitStatus{.signal = SIGKILL}));
  EXPECT_FALSE(child->ref().IsAlive());
}

TEST(ChildProcessTest, TerminateReachesAStoppedChild) {
  auto child = ChildProcess::Spawn(Shell("exec sleep 1000"));
  ASSERT_TRUE(child.ok()) << child.status();
  child->Signal(SIGSTOP);
  EXPECT_EQ(child->Terminate(absl::Seconds(30)),
            (ExitStatus{.signal = SIGTERM}));
}

TEST(ChildProcessTest, DestructorLeavesNothing) {
  ProcessRef ref;
  {
    auto child = ChildProcess::Spawn(Shell("exec sleep 1000"));
    ASSERT_TRUE(child.ok()) << child.status();
    ref = child->ref();
    EXPECT_TRUE(ref.IsAlive());
  }
  EXPECT_FALSE(ref.IsAlive());
  EXPECT_EQ(kill(ref.pid, 0), -1) << "not reaped";
}

TEST(ChildProcessTest, ChildDiesWithItsParent) {
  ChildProcess::Options options;
  options.name = "parent";
  options.arguments = {"client/process/parent_for_test"};
  auto parent = ChildProcess::Spawn(options);
  ASSERT_TRUE(parent.ok()) << parent.status();
  auto line = parent->AwaitReady(Soon());
  ASSERT_TRUE(line.ok()) << line.status();
  int pid = 0;
  ASSERT_TRUE(absl::SimpleAtoi(*line, &pid));
  std::optional<ProcessRef> grandchild = ProcessRef::Find(pid);
  ASSERT_TRUE(grandchild.has_value());
  parent->Signal(SIGKILL);
  EXPECT_TRUE(grandchild->AwaitExit(Soon()));
}

TEST(ChildProcessTest, ChildOutlivesTheThreadThatStartedIt) {
  absl::StatusOr<ChildProcess> child = absl::UnknownError("");
  std::thread([&] {
    child = ChildProcess::Spawn(Shell("exec sleep 1000"));
  }).join();
  ASSERT_TRUE(child.ok()) << child.status();
  EXPECT_FALSE(
      child->AwaitExit(absl::Now() + absl::Milliseconds(100)).has_value());
}

TEST(ChildProcessTest, InheritsNoOtherDescriptor) {
  int leaked = dup(STDOUT_FILENO);  // without close-on-exec
  ChildProcess::Options options = Shell("ls /proc/self/fd | wc -l");
  options.captures_stdout = true;
  auto child = ChildProcess::Spawn(options);
  ASSERT_TRUE(child.ok()) << child.status();
  // 0, 1, 2, the ready pipe, and the directory that ls reads.
  EXPECT_EQ(ReadAll(child->stdout_fd()), "5\n");
  close(leaked);
}

TEST(ChildProcessTest, OutputCanGoWhereErrorsGo) {
  ChildProcess::Options options = Shell("echo out; echo err >&2");
  options.merges_stdout = true;
  options.captures_stderr = true;
  auto child = ChildProcess::Spawn(options);
  ASSERT_TRUE(child.ok()) << child.status();
  EXPECT_EQ(ReadAll(child->stderr_fd()), "out\nerr\n");
}

TEST(ChildProcessTest, EnvironmentIsAddedAndReplaced) {
  setenv("LOCKSTEP_TEST_A", "old", 1);
  ChildProcess::Options options =
      Shell("echo $LOCKSTEP_TEST_A $LOCKSTEP_TEST_B");
  options.environment = {{"LOCKSTEP_TEST_A", "new"}, {"LOCKSTEP_TEST_B", "b"}};
  options.captures_stdout = true;
  auto child = ChildProcess::Spawn(options);
  ASSERT_TRUE(child.ok()) << child.status();
  EXPECT_EQ(ReadAll(child->stdout_fd()), "new b\n");
}

TEST(ProcessRefTest, AnotherLifeOfAPidIsAnotherProcess) {
  ProcessRef self = *ProcessRef::Find(getpid());
  EXPECT_TRUE(self.IsAlive());
  ProcessRef earlier = self;
  earlier.start_ticks -= 1;
  EXPECT_FALSE(earlier.IsAlive());
  earlier.Signal(SIGKILL);  // must not reach us
  EXPECT_TRUE(earlier.AwaitExit(absl::InfinitePast()));
}

TEST(ProcessRefTest, TerminateReportsWhomItHadToKill) {
  auto good = ChildProcess::Spawn(Shell("exec sleep 1000"));
  auto bad = ChildProcess::Spawn(
      Shell("trap '' TERM; echo ready >&$LOCKSTEP_READY_FD; "
            "while true; do sleep 1000; done"));
  ASSERT_TRUE(good.ok() && bad.ok());
  ASSERT_TRUE(bad->AwaitReady(Soon()).ok());
  ProcessRef refs[] = {good->ref(), bad->ref()};
  EXPECT_THAT(Terminate(refs, absl::Milliseconds(200)),
              testing::ElementsAre(bad->ref()));
}

}  // namespace
}  // namespace lockstep::internal
