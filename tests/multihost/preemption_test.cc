// Row M-28 of docs/behaviour/multihost.md with real hosts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tests/multihost/host_programs.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/process_cluster.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kProgram[] = "tests/multihost/preemption_program";

// Between two looks at a log.
constexpr absl::Duration kLook = absl::Milliseconds(20);

Lines LinesOf(const CommandResult& result) {
  EXPECT_TRUE(result.exit.is_success()) << result.exit.ToString() << "\n"
                                        << result.out;
  return absl::StrSplit(result.out, '\n', absl::SkipEmpty());
}

// Four hosts, or as many as there are steps, which have come to those steps and
// wait for SIGUSR1.
struct Hosts {
  Hosts(const std::string& scenario, const std::vector<int>& steps,
        std::vector<std::string> flags = {}, const Variables& variables = {},
        bool is_logged = false)
      : coordinator(steps.size(), std::move(flags)) {
    for (size_t rank = 0; rank < steps.size(); ++rank) {
      Variables more = variables;
      more.emplace_back("LOCKSTEP_TEST_STEP", absl::StrCat(steps[rank]));
      if (is_logged) more.emplace_back("LOCKSTEP_LOG_LEVEL", "info");
      processes.push_back(StartHost(kProgram, scenario, coordinator.address(),
                                    rank, 1, more,
                                    is_logged ? LogOf(rank) : ""));
    }
    for (ChildProcess& host : processes) {
      EXPECT_EQ(ReadLine(host.stdout_fd()), "ready") << host.name();
    }
  }

  void GoOn() {
    for (ChildProcess& host : processes) host.Signal(SIGUSR1);
  }
  static std::string LogOf(size_t rank) {
    return absl::StrCat(::testing::TempDir(), "/preempted_", HostName(rank));
  }
  // Of hosts that are logged: until the log of one has `text`.
  static void AwaitLogged(size_t rank, const std::string& text) {
    const absl::Time deadline = absl::Now() + absl::Seconds(60);
    std::string log;
    do {
      std::ifstream file(LogOf(rank));
      log.assign(std::istreambuf_iterator<char>(file), {});
      if (log.find(text) != std::string::npos) return;
      absl::SleepFor(kLook);
    } while (absl::Now() < deadline);
    ADD_FAILURE() << HostName(rank) << " does not log '" << text << "'\n"
                  << log;
  }
  std::vector<std::string> Preempt(const std::string& host) const {
    return {"preempt", host, "--coordinator", coordinator.address()};
  }

  HostCoordinator coordinator;
  std::vector<ChildProcess> processes;
};

TEST(PreemptionTest, AllHostsSaveAtTheStepAfterTheLastOfAll_M28) {
  Hosts hosts("golden", {5, 7, 6, 7});
  const CommandResult preempt = RunLockstep(hosts.Preempt("host2"));
  EXPECT_EQ(preempt.out, "all hosts save at step 8\n") << preempt.err;
  hosts.GoOn();
  EXPECT_THAT(LinesOf(Finish(hosts.processes[0])),
              ElementsAre("6 false", "7 false", "8 true", "9 false", "OK"));
  EXPECT_THAT(LinesOf(Finish(hosts.processes[2])),
              ElementsAre("7 false", "8 true", "9 false", "OK"));
  for (int rank : {1, 3}) {
    EXPECT_THAT(LinesOf(Finish(hosts.processes[rank])),
                ElementsAre("8 true", "9 false", "OK"));
  }
}

TEST(PreemptionTest, HostsThatHaveNotBegunSaveAtTheirFirstStep_M28) {
  Hosts hosts("resumed", {100, 100});
  const CommandResult preempt = RunLockstep(hosts.Preempt("host0"));
  EXPECT_EQ(preempt.exit.code, 0) << preempt.err;
  EXPECT_THAT(preempt.out, HasSubstr("no program has come to a step yet"));
  hosts.GoOn();
  for (ChildProcess& host : hosts.processes) {
    EXPECT_THAT(LinesOf(Finish(host)),
                ElementsAre("100 true", "101 false", "OK"));
  }
}

TEST(PreemptionTest, ASignalToOneHostGivesAllTheSameStepOnce_M28) {
  Hosts hosts("free", {10, 20, 30, 40});
  hosts.GoOn();
  hosts.processes[1].Signal(SIGTERM);
  const Lines first = LinesOf(Finish(hosts.processes[0]));
  EXPECT_THAT(first, ElementsAre(StartsWith("save at ")));
  for (int rank : {1, 2, 3}) {
    EXPECT_EQ(LinesOf(Finish(hosts.processes[rank])), first);
  }
}

// As launchers do.
TEST(PreemptionTest, ASignalToAllHostsIsOneAgreement_M28) {
  Hosts hosts("free", {40, 30, 20, 10}, {}, {}, true);
  for (ChildProcess& host : hosts.processes) host.Signal(SIGTERM);
  for (size_t rank = 0; rank < 4; ++rank) {
    hosts.AwaitLogged(rank, "all hosts save at step 41");
  }
  // And again before the end.
  for (ChildProcess& host : hosts.processes) host.Signal(SIGTERM);
  hosts.GoOn();
  for (ChildProcess& host : hosts.processes) {
    EXPECT_THAT(LinesOf(Finish(host)), ElementsAre("save at 41"));
  }
}

// That of a scheduler reaches the coordinator which a host has started.
TEST(PreemptionTest, ASignalToTheCoordinatorOfTheHostsLetsThemSave_M28) {
  Hosts hosts(
      "golden", {5, 7},
      {"--of-hosts", "--end-when-empty", "1s", "--shutdown-deadline", "0s"});
  hosts.coordinator.Signal(SIGTERM);
  const CommandResult preempt = RunLockstep(hosts.Preempt("host1"));
  EXPECT_EQ(preempt.out, "all hosts save at step 8\n") << preempt.err;
  hosts.GoOn();
  EXPECT_THAT(LinesOf(Finish(hosts.processes[1])),
              ElementsAre("8 true", "9 false", "OK"));
  LinesOf(Finish(hosts.processes[0]));
  hosts.coordinator.AwaitEnd();
}

// However it ends otherwise.
TEST(PreemptionTest, ASignalToAnOperatorsCoordinatorEndsIt_M28) {
  Hosts hosts("golden", {5, 7},
              {"--end-when-empty", "1s", "--shutdown-deadline", "0s"});
  hosts.coordinator.Signal(SIGTERM);
  hosts.coordinator.AwaitEnd();
}

// Its threads run on for a moment after the signal, in which it could answer.
void Stop(ChildProcess& process) {
  process.Signal(SIGSTOP);
  siginfo_t stopped = {};
  EXPECT_EQ(waitid(P_PID, static_cast<id_t>(process.pid()), &stopped,
                   WSTOPPED | WNOWAIT),
            0);
}

TEST(PreemptionTest, AHostThatIsKilledMeanwhileIsLeftOut_M28) {
  Hosts hosts("golden", {5, 7, 6, 20});
  // It does not answer any more.
  Stop(hosts.processes[3]);
  ChildProcess preempt = StartLockstep("preempt", hosts.Preempt("host0"), true);
  hosts.processes[3].Signal(SIGKILL);
  EXPECT_EQ(Finish(preempt).out, "all hosts save at step 8\n");
  hosts.GoOn();
  for (int rank : {0, 1, 2}) {
    const Lines lines = LinesOf(Finish(hosts.processes[rank]));
    ASSERT_GE(lines.size(), 3u);
    EXPECT_EQ(lines[lines.size() - 3], "8 true");
    EXPECT_EQ(lines[lines.size() - 2], "9 false");
    EXPECT_THAT(lines.back(),
                AllOf(StartsWith("ABORTED: "), HasSubstr("host 3 (host3)")));
  }
}

TEST(PreemptionTest, AHostThatDoesNotAnswerIsNamedAtTheDeadline_M28) {
  // It is not taken for dead meanwhile.
  Hosts hosts("free", {10, 20, 30, 40}, {"--silence", "60s"},
              {{"LOCKSTEP_PREEMPTION_DEADLINE_S", "1"}});
  Stop(hosts.processes[1]);
  hosts.processes[2].Signal(SIGTERM);
  hosts.GoOn();
  // With what it printed, they are at their ends, where they wait for it.
  for (int rank : {0, 2, 3}) {
    EXPECT_THAT(
        ReadLine(hosts.processes[rank].stdout_fd()),
        AllOf(StartsWith("DEADLINE_EXCEEDED: "), HasSubstr("host 2 (host2)"),
              HasSubstr("3 of 4"), HasSubstr("missing: host 1 (host1)"),
              Not(HasSubstr("host 0")), Not(HasSubstr("host 3"))));
  }
  // It was to answer, so it hears that it did not.
  hosts.processes[1].Signal(SIGCONT);
  EXPECT_THAT(LinesOf(Finish(hosts.processes[1])),
              ElementsAre(StartsWith("DEADLINE_EXCEEDED: ")));
  for (int rank : {0, 2, 3}) {
    EXPECT_THAT(LinesOf(Finish(hosts.processes[rank])), SizeIs(0));
  }
}

TEST(PreemptionTest, ASecondNoticeCountsAfterTheStepOfTheFirst_M28) {
  const auto hosts = RunHosts(kProgram, "notices", {1, 1});
  ASSERT_THAT(hosts[0],
              ElementsAre("OK", "OK", EndsWith(" true"), EndsWith(" true")));
  EXPECT_THAT(hosts[1], ElementsAre(hosts[0][2], "OK", hosts[0][3]));
}

TEST(PreemptionTest, AHostOnItsOwnSavesAtItsNextStep_M28) {
  ChildProcess host = StartHost(kProgram, "alone", "", 0, 1);
  EXPECT_THAT(LinesOf(Finish(host)),
              ElementsAre("7 false", "3 false", "OK", "4 true", "5 false",
                          AllOf(StartsWith("5 INVALID_ARGUMENT: "),
                                HasSubstr("after step 5")),
                          "after the signal true", "after the save false",
                          StartsWith("8 FAILED_PRECONDITION: ")));
}

TEST(PreemptionTest, AfterAnErrorTheSignalEndsTheProcessAsEver_M28) {
  ChildProcess host = StartHost(kProgram, "alone_fails", "", 0, 1);
  const CommandResult result = Finish(host);
  EXPECT_EQ(result.exit.signal, SIGTERM) << result.exit.ToString();
  EXPECT_THAT(result.out,
              AllOf(StartsWith("1 false\n"), HasSubstr("INVALID_ARGUMENT: "),
                    Not(HasSubstr("still there"))));
}

TEST(PreemptionTest, AnUnknownHostIsRefused_M28) {
  Hosts hosts("golden", {0, 0});
  const CommandResult preempt = RunLockstep(hosts.Preempt("host7"));
  EXPECT_EQ(preempt.exit.code, 1);
  EXPECT_THAT(preempt.err, AllOf(HasSubstr("host7"), HasSubstr("2 hosts")));
  hosts.GoOn();
  for (ChildProcess& host : hosts.processes) LinesOf(Finish(host));
}

TEST(PreemptionTest, DaemonsHaveNoProgramThatSaves_M28) {
  ProcessCluster cluster({});
  const CommandResult preempt =
      RunLockstep({"preempt", "worker-1", "--coordinator", cluster.address()});
  EXPECT_EQ(preempt.exit.code, 1) << preempt.out;
  EXPECT_THAT(preempt.err,
              AllOf(HasSubstr("FAILED_PRECONDITION"),
                    HasSubstr("host 0 (worker-0)"), HasSubstr("daemon")));
  cluster.Stop();
}

}  // namespace
}  // namespace lockstep::internal
