// Hosts of the host view that are killed, stopped, or end early, in every phase
// of a program: the others hear who it was, within seconds, and go on; one that
// comes back takes part again.
#include <signal.h>

#include <fstream>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/multihost/host_programs.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/programs.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::Values;

constexpr char kProgram[] = "tests/multihost/host_faults_program";

Lines LinesOf(const CommandResult& result) {
  return absl::StrSplit(result.out, '\n', absl::SkipEmpty());
}

class HostFaultsTest
    : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};

INSTANTIATE_TEST_SUITE_P(
    Faults, HostFaultsTest,
    ::testing::Combine(Values("killed", "stopped", "exited", "returned"),
                       Values("joined", "tracing", "between", "collective")),
    [](const auto& info) {
      return std::string(std::get<0>(info.param)) + "_" +
             std::get<1>(info.param);
    });

// M-23, M-24.
TEST_P(HostFaultsTest, TheOthersHearWhoItWasAndGoOn) {
  const auto [fault, phase] = GetParam();
  if (fault == std::string("returned") && phase == std::string("collective")) {
    GTEST_SKIP() << "a host that returns waits for its launches";
  }
  HostCoordinator coordinator(3);
  std::vector<ChildProcess> hosts;
  for (size_t rank : {0, 1, 2}) {
    hosts.push_back(StartHost(
        kProgram, "phases", coordinator.address(), rank, 2,
        {{"LOCKSTEP_TEST_FAULT", fault}, {"LOCKSTEP_TEST_PHASE", phase}}));
  }
  for (size_t rank : {0, 2}) {
    const CommandResult result = Finish(hosts[rank]);
    EXPECT_TRUE(result.exit.is_success()) << result.exit.ToString();
    const Lines lines = LinesOf(result);
    ASSERT_FALSE(lines.empty());
    EXPECT_EQ(lines.back(), "[6. 6.]") << result.out;
    bool is_named = false;
    for (const std::string& line : lines) {
      is_named = is_named || absl::StrContains(line, "host 1 (host1)");
    }
    EXPECT_TRUE(is_named) << result.out;
  }
  hosts[1].Signal(SIGKILL);
}

// M-25. Who shuts down waits for the others to do so, but not for the dead.
TEST(HostFaults, AHostThatEndsInShutdownIsNotWaitedFor) {
  for (const char* fault : {"killed", "stopped", "exited", "returned"}) {
    HostCoordinator coordinator(2);
    std::vector<ChildProcess> hosts;
    for (size_t rank : {0, 1}) {
      hosts.push_back(StartHost(kProgram, "one_call", coordinator.address(),
                                rank, 2,
                                {{"LOCKSTEP_TEST_FAULT", fault},
                                 {"LOCKSTEP_TEST_PHASE", "shutdown"}}));
    }
    const absl::Time start = absl::Now();
    const CommandResult result = Finish(hosts[0]);
    EXPECT_TRUE(result.exit.is_success()) << result.exit.ToString();
    EXPECT_THAT(LinesOf(result), ElementsAre("[4. 4.]"));
    // Less than the 30 s for which a live host is waited for.
    EXPECT_LT(absl::Now() - start, absl::Seconds(20));
    hosts[1].Signal(SIGKILL);
  }
}

// M-26.
TEST(HostFaults, AHostThatComesBackTakesPartAgain) {
  HostCoordinator coordinator(3);
  std::vector<ChildProcess> hosts;
  for (size_t rank : {0, 1, 2}) {
    hosts.push_back(
        StartHost(kProgram, "rejoin", coordinator.address(), rank, 2));
  }
  EXPECT_EQ(Finish(hosts[1]).exit.signal, SIGKILL);
  hosts[1] = StartHost(kProgram, "rejoin", coordinator.address(), 1, 2,
                       {{"LOCKSTEP_TEST_LIFE", "2"}});
  for (size_t rank : {0, 1, 2}) {
    const CommandResult result = Finish(hosts[rank]);
    EXPECT_TRUE(result.exit.is_success()) << result.exit.ToString();
    Lines expected;
    for (int step = rank == 1 ? 3 : 1; step <= 6; ++step) {
      if (step == 3 && rank != 1) expected.push_back("OK");
      const std::string sum = std::to_string(6 * step);
      const std::string largest = std::to_string(step + 2);
      expected.push_back("[" + sum + ". " + sum + ".]");
      expected.push_back("[" + largest + ". " + largest + ".]");
    }
    EXPECT_EQ(LinesOf(result), expected) << result.out;
  }
}

}  // namespace
}  // namespace lockstep::internal
