// Row M-27 of docs/behaviour/multihost.md with real hosts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "tests/multihost/host_programs.h"
#include "tests/multihost/lockstep_command.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kProgram[] = "tests/multihost/live_hosts_program";

// What hosts 0 and 2 of three printed, where host 1 is killed.
std::vector<Lines> RunSurvivors(const std::string& scenario) {
  HostCoordinator coordinator(3);
  std::vector<ChildProcess> hosts;
  for (size_t rank : {0, 1, 2}) {
    hosts.push_back(
        StartHost(kProgram, scenario, coordinator.address(), rank, 2));
  }
  std::vector<Lines> lines;
  for (size_t rank : {0, 2}) {
    const CommandResult result = Finish(hosts[rank]);
    EXPECT_TRUE(result.exit.is_success()) << result.exit.ToString();
    lines.push_back(absl::StrSplit(result.out, '\n', absl::SkipEmpty()));
  }
  return lines;
}

TEST(LiveHostsTest, SurvivorsGetTheSameAnswerAndComputeOn_M27) {
  const std::vector<Lines> hosts = RunSurvivors("killed");
  ASSERT_THAT(hosts[0], SizeIs(4));
  EXPECT_EQ(hosts[0], hosts[1]);
  EXPECT_THAT(hosts[0][0],
              MatchesRegex("0=host0:[0-9]+ 1=host1:[0-9]+ 2=host2:[0-9]+"));
  EXPECT_THAT(hosts[0][1], MatchesRegex("0=host0:[0-9]+ 2=host2:[0-9]+"));
  EXPECT_EQ(hosts[0][2], "devices 0 1 4 5 have [0 1 2 3]");
  EXPECT_EQ(hosts[0][3], "OK");
}

TEST(LiveHostsTest, AHostThatDiesWithinIsTheCauseOnAll_M27) {
  for (const Lines& host : RunSurvivors("killed_within")) {
    ASSERT_THAT(host, SizeIs(3));
    EXPECT_THAT(host[0],
                AllOf(StartsWith("ABORTED: "), HasSubstr("host 1 (host1)")));
    EXPECT_EQ(host[1], "devices 0 1 4 5 have [0 1 2 3]");
    EXPECT_EQ(host[2], "OK");
  }
}

TEST(LiveHostsTest, AnErrorOnOneHostCountsOnAll_M27) {
  for (const std::string scenario :
       {"fails_on_one", "throws_on_one", "fails_before_a_call"}) {
    for (const Lines& host : RunHosts(kProgram, scenario, {1, 1})) {
      ASSERT_THAT(host, SizeIs(3)) << scenario;
      EXPECT_THAT(host[0],
                  AllOf(StartsWith("ABORTED: "), HasSubstr("host 1 (host1)"),
                        HasSubstr("checkpoint is torn")))
          << scenario;
      EXPECT_EQ(host[1], "devices 0 1 have [0 1]");
      EXPECT_EQ(host[2], "OK");
    }
  }
}

TEST(LiveHostsTest, WrongArgumentsAreNamed_M27) {
  const auto hosts = RunHosts(kProgram, "wrong_arguments", {1, 1});
  for (const Lines& host : hosts) {
    ASSERT_THAT(host, SizeIs(5));
    EXPECT_THAT(host[0], AllOf(StartsWith("INVALID_ARGUMENT: "),
                               HasSubstr("is not among the hosts")));
    EXPECT_THAT(host[1], StartsWith("INVALID_ARGUMENT: "));
    EXPECT_THAT(host[2], StartsWith("INVALID_ARGUMENT: "));
    EXPECT_EQ(host[4], "OK");
  }
  EXPECT_THAT(hosts[0][2], AllOf(HasSubstr("host 0 (host0)"), HasSubstr("[1]"),
                                 Not(HasSubstr("host 1"))));
  EXPECT_EQ(hosts[0][3], "0=host0:");
  EXPECT_EQ(hosts[1][3], "1=host1:");
}

}  // namespace
}  // namespace lockstep::internal
