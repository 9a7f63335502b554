// pmap over several hosts in the host view: one program per host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "client/process/child_process.h"
#include "tests/multihost/host_programs.h"
#include "tests/multihost/lockstep_command.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kProgram[] = "tests/multihost/pmap_host_program";

// What each host printed, by rank. Fails when a host does.
std::vector<Lines> RunScenario(const std::string& scenario,
                               const std::vector<int>& devices) {
  return RunHosts(kProgram, scenario, devices);
}

// J-2, M-1.
TEST(PmapHostViewTest, QueriesAreOfThisHostAndOfTheCluster) {
  EXPECT_THAT(RunScenario("queries", {4, 2, 2}),
              ElementsAre(Lines{"0 of 3: 4 of 8"}, Lines{"1 of 3: 2 of 8"},
                          Lines{"2 of 3: 2 of 8"}));
}

// The port is free when it is chosen; whoever takes it first makes the test
// fail, not hang.
std::string FreeLoopbackAddress() {
  ChildProcess coordinator =
      StartLockstep("coordinator", {"coordinator", "--listen", "127.0.0.1:0"});
  const auto address = coordinator.AwaitReady(absl::Now() + absl::Seconds(30));
  EXPECT_TRUE(address.ok()) << address.status();
  coordinator.Terminate(absl::Seconds(5));
  return address.value_or("");
}

// M-15.
TEST(PmapHostViewTest, HostOfRankZeroStartsTheCoordinatorWhenThereIsNone) {
  const std::string address = FreeLoopbackAddress();
  std::vector<ChildProcess> hosts;
  for (size_t rank : {1, 0}) {
    hosts.push_back(StartHost(kProgram, "sum", address, rank, 4,
                              {{"LOCKSTEP_EXPECTED_HOSTS", "2"},
                               {"LOCKSTEP_BINARY", LockstepPath()}}));
  }
  const CommandResult second = Finish(hosts[0]);
  const CommandResult first = Finish(hosts[1]);
  EXPECT_EQ(first.out, "[28 29 30 31]\n");
  EXPECT_EQ(second.out, "[32 33 34 35]\n");
}

// J-17.
TEST(PmapHostViewTest, SumSpansAllHosts) {
  EXPECT_THAT(RunScenario("sum", {4, 4}),
              ElementsAre(Lines{"[28 29 30 31]"}, Lines{"[32 33 34 35]"}));
}

// J-6.
TEST(PmapHostViewTest, HostsMayHaveDifferentNumbersOfDevices) {
  EXPECT_THAT(
      RunScenario("sum", {4, 2, 2}),
      ElementsAre(Lines{"[28 29 30 31]"}, Lines{"[32 33]"}, Lines{"[34 35]"}));
}

// J-6.
TEST(PmapHostViewTest, AxisIsThatOfAllHosts) {
  EXPECT_THAT(RunScenario("axis", {4, 4}),
              ElementsAre(Lines{"[8 8 8 8]", "[0 1 2 3]"},
                          Lines{"[8 8 8 8]", "[4 5 6 7]"}));
}

// J-9, J-17.
TEST(PmapHostViewTest, DeviceListsMayCoverHostsInPart) {
  EXPECT_THAT(
      RunScenario("six_and_two", {4, 4}),
      ElementsAre(Lines{"[0.         0.06666667 0.13333334 0.2       ]"},
                  Lines{"[0.26666668 0.33333334]", "[13. 13.]"}));
}

// J-9.
TEST(PmapHostViewTest, HostsOutsideTheListTakeNoPart) {
  EXPECT_THAT(
      RunScenario("middle_hosts", {2, 2, 2, 2}),
      ElementsAre(IsEmpty(), Lines{"[11 12]"}, Lines{"[13 14]"}, IsEmpty()));
}

// J-9.
TEST(PmapHostViewTest, CallingWithoutADeviceOfTheListFailsOnThatHostOnly) {
  const auto lines = RunScenario("not_my_devices", {2, 2, 2});
  ASSERT_THAT(lines, SizeIs(3));
  EXPECT_THAT(lines[0], ElementsAre(AllOf(StartsWith("FAILED_PRECONDITION: "),
                                          HasSubstr("host 0"))));
  EXPECT_THAT(lines[1], ElementsAre("[7 8]"));
}

// J-12.
TEST(PmapHostViewTest, RowsFollowTheOrderOfTheList) {
  const std::string row = "[30 10 40 20]";
  const std::string both = absl::StrCat("[", row);
  EXPECT_THAT(RunScenario("permuted_devices", {4, 4}),
              Each(ElementsAre(both, absl::StrCat(" ", row, "]"))));
}

// J-6.
TEST(PmapHostViewTest, WrongRowsOfOneHostFailOnEveryHost) {
  const auto lines = RunScenario("wrong_rows", {4, 4});
  ASSERT_THAT(lines, Each(SizeIs(2)));
  for (const Lines& host : lines) {
    EXPECT_THAT(host[0], AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("3"),
                               HasSubstr("4"), HasSubstr("host 0 (host0)")));
  }
  EXPECT_EQ(lines[0][1], "[28 29 30 31]");
  EXPECT_EQ(lines[1][1], "[32 33 34 35]");
}

// J-10.
TEST(PmapHostViewTest, WrongRowsForTheListFailOnEveryHost) {
  const auto lines = RunScenario("wrong_rows_for_the_list", {4, 4});
  ASSERT_THAT(lines, Each(SizeIs(2)));
  for (const Lines& host : lines) {
    EXPECT_THAT(host[0], AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("3"),
                               HasSubstr("4"), HasSubstr("host 0 (host0)")));
  }
  EXPECT_EQ(lines[1][1], "[32 33 34 35]");
}

// M-18.
TEST(PmapHostViewTest, DifferentProgramsAreRefusedEverywhere) {
  const auto lines = RunScenario("different_programs", {4, 4});
  ASSERT_THAT(lines, Each(SizeIs(2)));
  for (const Lines& host : lines) {
    EXPECT_THAT(
        host[0],
        AllOf(StartsWith("FAILED_PRECONDITION: "), HasSubstr("different"),
              HasSubstr("host 0 (host0)"), HasSubstr("host 1 (host1)"),
              HasSubstr("dense<1>"), HasSubstr("dense<2>")));
  }
  EXPECT_EQ(lines[1][1], "[32 33 34 35]");
}

// M-19.
TEST(PmapHostViewTest, FunctionThatOneHostCannotTraceFailsOnEveryHost) {
  const auto lines = RunScenario("trace_error", {4, 4});
  ASSERT_THAT(lines, Each(SizeIs(2)));
  EXPECT_THAT(lines[0][0],
              AllOf(StartsWith("NOT_FOUND: "), HasSubstr("axis 'j'")));
  EXPECT_THAT(lines[1][0],
              AllOf(StartsWith("ABORTED: "), HasSubstr("axis 'j'"),
                    HasSubstr("host 0 (host0)"), HasSubstr("untraceable")));
  EXPECT_EQ(lines[0][1], "[28 29 30 31]");
  EXPECT_EQ(lines[1][1], "[32 33 34 35]");
}

// J-5.
TEST(PmapHostViewTest, ConstantsOfOneHostNeedNoDevices) {
  EXPECT_THAT(RunScenario("constants", {8}),
              ElementsAre(Lines{"tensor<100xi32>"}));
}

TEST(PmapHostViewTest, ExceptionOnOneHostFailsOnEveryHost) {
  const auto lines = RunScenario("exception", {4, 4});
  ASSERT_THAT(lines, Each(SizeIs(2)));
  EXPECT_THAT(lines[0][0],
              AllOf(StartsWith("UNKNOWN: "), HasSubstr("no such model")));
  EXPECT_THAT(lines[1][0],
              AllOf(StartsWith("ABORTED: "), HasSubstr("no such model"),
                    HasSubstr("host 0 (host0)"), HasSubstr("throwing")));
  EXPECT_EQ(lines[0][1], "[28 29 30 31]");
  EXPECT_EQ(lines[1][1], "[32 33 34 35]");
}

// Those of tests/pmap, each host with its part of the rows.
TEST(PmapHostViewTest, CasesOfJaxHold) {
  const auto lines = RunScenario("cases", {4, 4});
  EXPECT_THAT(lines, Each(ElementsAre(HasSubstr(" cases"))));
}

// J-9.
TEST(PmapHostViewTest, DifferentDeviceListsAreRefusedEverywhere) {
  const auto lines = RunScenario("different_devices", {4, 4});
  ASSERT_THAT(lines, Each(SizeIs(1)));
  for (const Lines& host : lines) {
    EXPECT_THAT(host[0], AllOf(StartsWith("FAILED_PRECONDITION: "),
                               HasSubstr("host 0 (host0)"),
                               HasSubstr("host 1 (host1)")));
  }
}

// J-17.
TEST(PmapHostViewTest, CollectivesSpanHosts) {
  EXPECT_THAT(
      RunScenario("collectives", {4, 4}),
      ElementsAre(Lines{"[ 5 23 23 23]", "[3.5 3.5 3.5 3.5]", "[7 7 7 7]",
                        "[7 0 0 0]", "[1680 1716 1752 1788]"},
                  Lines{"[23  5 23 23]", "[3.5 3.5 3.5 3.5]", "[7 7 7 7]",
                        "[3 0 0 0]", "[1824 1860 1896 1932]"}));
}

TEST(PmapHostViewTest, DonatedArraysAreGone) {
  const auto lines = RunScenario("step_by_step", {2, 2});
  ASSERT_THAT(lines, Each(SizeIs(2)));
  // x -> x + S with S -> 5 S: 6 (1 + 5 + 25 + 125) = 936.
  EXPECT_EQ(lines[0][0], "[936 937]");
  EXPECT_EQ(lines[1][0], "[938 939]");
  EXPECT_THAT(lines[1][1],
              AllOf(StartsWith("FAILED_PRECONDITION: "), HasSubstr("donated")));
}

// M-14.
TEST(PmapHostViewTest, SyncsMustHaveTheSameName) {
  const auto lines = RunScenario("sync", {1, 1});
  ASSERT_THAT(lines, Each(SizeIs(3)));
  for (const Lines& host : lines) {
    EXPECT_EQ(host[0], "OK");
    EXPECT_THAT(host[1], AllOf(StartsWith("FAILED_PRECONDITION: "),
                               HasSubstr("epoch 1"), HasSubstr("epoch 2")));
    EXPECT_EQ(host[2], "OK");
  }
}

// M-2, M-25.
TEST(PmapHostViewTest, InitializeComesOnceAndFirst) {
  const auto lines = RunScenario("initialize_twice", {1, 1});
  ASSERT_THAT(lines, Each(SizeIs(4)));
  for (const Lines& host : lines) {
    EXPECT_THAT(host[0], AllOf(StartsWith("FAILED_PRECONDITION: "),
                               HasSubstr("called already")));
    EXPECT_EQ(host[1], "OK");
    EXPECT_EQ(host[2], "OK");
    EXPECT_THAT(host[3], AllOf(StartsWith("FAILED_PRECONDITION: "),
                               HasSubstr("after Shutdown")));
  }
}

}  // namespace
}  // namespace lockstep::internal
