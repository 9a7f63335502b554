// Rows M-21, M-22, M-23, M-24 and M-25 of docs/behaviour/multihost.md as
// programs of the host view see them, with real hosts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "tests/multihost/host_programs.h"
#include "tests/multihost/lockstep_command.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kProgram[] = "tests/multihost/coordination_program";

TEST(CoordinationTest, BarriersMeetTheHostsThatTheyName_M21) {
  const auto hosts = RunHosts(kProgram, "barriers", {1, 1, 1});
  const auto missed = AllOf(StartsWith("DEADLINE_EXCEEDED: "),
                            HasSubstr("missed"), HasSubstr("host 1 (host1)"));
  const auto unknown = AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("7"));
  EXPECT_THAT(hosts[0],
              ElementsAre("OK", "OK", "OK", "OK", missed, "OK", unknown, "OK"));
  // The deadline was that of whoever came first.
  EXPECT_THAT(hosts[1],
              ElementsAre("OK", "OK", "OK", "yes",
                          StartsWith("DEADLINE_EXCEEDED: "), unknown, "OK"));
  EXPECT_THAT(hosts[2],
              ElementsAre("OK", "OK", "OK", "OK", missed, unknown, "OK"));
}

TEST(CoordinationTest, HostsReadWhatOthersPut_M22) {
  const auto hosts = RunHosts(kProgram, "keys", {1, 1});
  ASSERT_THAT(hosts[0], SizeIs(14));
  EXPECT_EQ((Lines(hosts[0].begin(), hosts[0].begin() + 3)),
            (Lines{"OK", "OK", "OK"}));
  // Host 1 deletes.
  ASSERT_THAT(hosts[1], SizeIs(12));
  const Lines of_both(hosts[0].begin() + 3, hosts[0].end());
  EXPECT_THAT(
      of_both,
      ElementsAre(
          "3", "a/b=1 a/c/d=2",
          AllOf(StartsWith("ALREADY_EXISTS: "), HasSubstr("a/b")),
          AllOf(StartsWith("NOT_FOUND: "), HasSubstr("nothing")),
          AllOf(StartsWith("DEADLINE_EXCEEDED: "), HasSubstr("nothing")), "OK",
          "OK", "OK", "4", "OK", "ab=3 count=4"));
  EXPECT_EQ(hosts[1][0], "3");
  EXPECT_THAT(hosts[1], IsSupersetOf({"4", "ab=3 count=4"}));
}

TEST(CoordinationTest, WhoWaitsIsToldWhatABusyHostDoes_M23) {
  const auto hosts = RunHosts(kProgram, "busy", {1, 1});
  EXPECT_THAT(
      hosts[0],
      ElementsAre(
          "yes",
          AllOf(StartsWith("DEADLINE_EXCEEDED: "), HasSubstr("host 1 (host1)"),
                HasSubstr("busy with writing a checkpoint")),
          "OK", "yes",
          AllOf(StartsWith("DEADLINE_EXCEEDED: "), HasSubstr("host 1 (host1)"),
                Not(HasSubstr("busy"))),
          "OK"));
  EXPECT_THAT(hosts[1],
              ElementsAre("OK", "OK", "yes", "OK", "OK", "yes",
                          StartsWith("INVALID_ARGUMENT: Busy: "),
                          AllOf(StartsWith("INVALID_ARGUMENT: Busy: "),
                                HasSubstr("-1m"))));
}

TEST(CoordinationTest, SurvivorsHearOfALostHost_M24) {
  HostCoordinator coordinator(3);
  std::vector<ChildProcess> hosts;
  for (size_t rank : {0, 1, 2}) {
    hosts.push_back(
        StartHost(kProgram, "killed", coordinator.address(), rank, 1));
  }
  for (size_t rank : {0, 2}) {
    const CommandResult result = Finish(hosts[rank]);
    EXPECT_TRUE(result.exit.is_success()) << result.exit.ToString();
    const Lines lines = absl::StrSplit(result.out, '\n', absl::SkipEmpty());
    EXPECT_THAT(lines, ElementsAre("OK",
                                   AllOf(StartsWith("lost 1=host1 ABORTED: "),
                                         HasSubstr("host 1 (host1)")),
                                   "2 are left", "removed by itself", "OK"));
  }
}

TEST(CoordinationTest, HostsHearOfAFailedCall_M24) {
  const auto hosts = RunHosts(kProgram, "failed_call", {1, 1});
  EXPECT_THAT(hosts[0], Contains(AllOf(StartsWith("call 1=host1 ABORTED: "),
                                       HasSubstr("the file is torn"))));
  for (const Lines& host : hosts) EXPECT_EQ(host.back(), "OK");
}

TEST(CoordinationTest, NothingComesAfterShutdown_M25) {
  for (const Lines& host : RunHosts(kProgram, "after_shutdown", {1, 1})) {
    ASSERT_THAT(host, SizeIs(7));
    EXPECT_EQ(host[0], "OK");
    EXPECT_EQ(host[1], "OK");
    for (size_t i = 2; i < 7; ++i) {
      EXPECT_THAT(host[i], StartsWith("FAILED_PRECONDITION: ")) << i;
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
