#include "runtime/cluster/machine.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

TEST(Machine, IdIsStable) {
  EXPECT_NE(MachineId(), "");
  EXPECT_EQ(MachineId(), MachineId());
  EXPECT_NE(NetworkId(), "");
  EXPECT_NE(NetworkId(), MachineId());
}

TEST(Machine, ThisProcessHasNotEnded) {
  EXPECT_FALSE(ProcessHasEnded(getpid()));
}

TEST(Machine, AKilledChildHasEndedBeforeAndAfterItIsReaped) {
  const pid_t child = fork();
  if (child == 0) {
    while (true) pause();
  }
  EXPECT_FALSE(ProcessHasEnded(child));
  kill(child, SIGKILL);
  siginfo_t info;
  waitid(P_PID, child, &info, WEXITED | WNOWAIT);
  EXPECT_TRUE(ProcessHasEnded(child));
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(ProcessHasEnded(child));
}

TEST(Machine, AnUnknownPidIsNoEvidence) { EXPECT_FALSE(ProcessHasEnded(0)); }

}  // namespace
}  // namespace lockstep::internal
