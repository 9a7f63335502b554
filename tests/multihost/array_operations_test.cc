// Operations on arrays of global shape outside of programs, with real hosts:
// M-4, M-10 and M-19 of docs/behaviour/multihost.md.
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
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kProgram[] = "tests/multihost/array_operations_program";

// What each host printed, by rank. Fails when a host does.
std::vector<Lines> RunScenario(const std::string& scenario,
                               const std::vector<int>& devices) {
  return RunHosts(kProgram, scenario, devices);
}

TEST(ArrayOperationsTest, OperationsComputeOnTheDevicesOfTheArrays_M10) {
  const auto lines = RunScenario("operations", {2, 2});
  ASSERT_THAT(lines, Each(SizeIs(7)));
  EXPECT_EQ(lines[0][0],
            "d0 (0:2, 0:2): [[1 2] [5 6]]; d1 (0:2, 2:4): [[3 4] [7 8]]");
  EXPECT_EQ(lines[1][0],
            "d2 (2:4, 0:2): [[ 9 10] [13 14]]; d3 (2:4, 2:4): [[11 12] [15 "
            "16]]");
  for (const Lines& host : lines) {
    EXPECT_EQ(host[1],
              "[[-10 -22 -34 -46] [-18 -30 -42 -54] [-26 -38 -50 -62] [-34 -46 "
              "-58 -70]]");
    EXPECT_EQ(host[2],
              "[[False False False False] [False False  True  True] [ True  "
              "True  True  True] [ True  True  True  True]]");
    EXPECT_EQ(host[3], "[[0 0 0 0] [0 0 0 0] [0 0 0 0] [0 0 0 0]]");
    EXPECT_EQ(host[4],
              "[[ 3  4  5  6] [ 7  8  9 10] [11 12 13 14] [15 16 17 18]]");
    EXPECT_THAT(host[5],
                AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("4x4")));
    EXPECT_EQ(host[6],
              "[[ 0  2  4  6] [ 8 10 12 14] [16 18 20 22] [24 26 28 30]]");
  }
}

TEST(ArrayOperationsTest, ReductionsCombineWhatAllHostsHave_M10) {
  const auto lines = RunScenario("reductions", {2, 2});
  ASSERT_THAT(lines, Each(SizeIs(7)));
  EXPECT_EQ(lines[0][0], "d0 (0:2): [24 28]; d1 (2:4): [32 36]");
  EXPECT_EQ(lines[1][0], "d2 (0:2): [24 28]; d3 (2:4): [32 36]");
  EXPECT_EQ(lines[0][1],
            "d0 (0:2, ALL): [[1.5] [5.5]]; d1 (0:2, ALL): [[1.5] [5.5]]");
  EXPECT_EQ(lines[1][1],
            "d2 (2:4, ALL): [[ 9.5] [13.5]]; d3 (2:4, ALL): [[ 9.5] [13.5]]");
  EXPECT_THAT(lines[1][2], HasSubstr("15"));
  for (const Lines& host : lines) {
    EXPECT_EQ(host[3], "True");
    EXPECT_THAT(host[4], AllOf(StartsWith("FAILED_PRECONDITION: "),
                               HasSubstr("dims=(0,)"), HasSubstr("dims=(1,)")));
    EXPECT_THAT(host[5], AllOf(StartsWith("INVALID_ARGUMENT: "),
                               HasSubstr("array_operations_program.cc")));
    EXPECT_EQ(host[6], "3");
  }
}

TEST(ArrayOperationsTest, SlicesTakeOnePlaceWhateverIsWrongOnAHost_M10) {
  const auto lines = RunScenario("slices", {2, 2, 1});
  ASSERT_THAT(lines, SizeIs(3));
  ASSERT_THAT(lines, Each(SizeIs(10)));
  const std::string cut = "[[2 3] [4 5]]";
  for (size_t i : {0, 3}) {
    EXPECT_EQ(lines[0][i], "d0 (ALL, ALL): " + cut + "; d1 (ALL, ALL): " + cut);
    EXPECT_EQ(lines[1][i], "d2 (ALL, ALL): " + cut + "; d3 (ALL, ALL): " + cut);
    EXPECT_EQ(lines[2][i], "(2, 2) elsewhere");
  }
  EXPECT_EQ(lines[0][1], "d0 (0:1, ALL): [[0 1]]; d1 (1:2, ALL): [[2 3]]");
  EXPECT_EQ(lines[0][5], "d0 (0:1): [1]; d1 (1:2): [3]");
  EXPECT_EQ(lines[1][5], "d2 (2:3): [5]; d3 (3:4): [7]");
  EXPECT_EQ(lines[0][7], "d0 (ALL): [6 7]; d1 (ALL): [6 7]");
  EXPECT_EQ(lines[1][7], "d2 (ALL): [6 7]; d3 (ALL): [6 7]");
  for (size_t i : {2, 4, 6}) {
    EXPECT_THAT(lines[1][i], StartsWith("INVALID_ARGUMENT: ")) << i;
  }
  for (size_t i : {2, 6}) {
    EXPECT_THAT(lines[0][i],
                AllOf(StartsWith("ABORTED: "), HasSubstr("host 1 (host1)")));
  }
  EXPECT_EQ(lines[0][4], lines[0][1]);  // nothing to wait for
  EXPECT_EQ(lines[0][8], "d0 (ALL): [0 1]; d1 (ALL): [0 1]");
  EXPECT_THAT(lines[2][8], StartsWith("INVALID_ARGUMENT: "));
  EXPECT_EQ(lines[0][9], "d0 (0:1, ALL): [[0 2]]; d1 (1:2, ALL): [[2 4]]");
  EXPECT_EQ(lines[1][9], "d2 (2:3, ALL): [[4 6]]; d3 (3:4, ALL): [[6 8]]");
}

TEST(ArrayOperationsTest, OperationsOnOtherHostsDoNothing_M4_M10) {
  const auto lines = RunScenario("operations_elsewhere", {2, 2});
  ASSERT_THAT(lines[0], SizeIs(3)) << "an empty line is not kept";
  ASSERT_THAT(lines[1], SizeIs(4));
  EXPECT_EQ(lines[0][0], "(4) float32 0 here");
  EXPECT_EQ(lines[1][0], "(4) float32 2 here");
  EXPECT_EQ(lines[1][1], "d2 (0:2): [0.5 1. ]; d3 (2:4): [1.5 2. ]");
  EXPECT_EQ(lines[0][1], "[0 2]");
  EXPECT_EQ(lines[1][2], "[5 7]");
  EXPECT_EQ(lines[0][2], "[0 4]");
  EXPECT_EQ(lines[1][3], "[ 8 12]");
}

TEST(ArrayOperationsTest, HostsThatOperateDifferentlyAreTold_M10_M19) {
  const auto lines = RunScenario("other_operations", {2, 2});
  ASSERT_THAT(lines, Each(SizeIs(2)));
  for (const Lines& host : lines) {
    EXPECT_THAT(host[0], AllOf(StartsWith("FAILED_PRECONDITION: "),
                               HasSubstr("'add'"), HasSubstr("'subtract'")));
  }
  EXPECT_EQ(lines[1][1], "d2 (2:3): [4]; d3 (3:4): [6]");
}

TEST(ArrayOperationsTest, WhatOneHostComputesAloneIsNoneOfTheCallsOfAll_M19) {
  const auto lines = RunScenario("operations_of_one_host", {2, 2});
  ASSERT_THAT(lines, Each(SizeIs(7)));
  for (const Lines& host : lines) {
    EXPECT_EQ(host[0], "OK");
    EXPECT_EQ(host[1], "OK");
    EXPECT_EQ(host[6], "OK");
  }
  EXPECT_EQ(lines[0][2], "d0 (0:1): [0]; d1 (1:2): [2]");
  EXPECT_EQ(lines[1][2], "d2 (2:3): [4]; d3 (3:4): [6]");
  EXPECT_EQ(lines[1][5], "d3 (0:1): [0]; d2 (1:2): [1]");
}

TEST(ArrayOperationsTest, HostThatIsLostIsNamedByAllThatIsComputed_M10) {
  HostCoordinator coordinator(3);
  std::vector<ChildProcess> hosts;
  for (size_t rank : {0, 1, 2}) {
    hosts.push_back(StartHost(kProgram, "operations_of_lost_host",
                              coordinator.address(), rank, 2));
  }
  for (size_t rank : {0, 2}) {
    const CommandResult result = Finish(hosts[rank]);
    EXPECT_TRUE(result.exit.is_success()) << result.exit.ToString();
    const Lines lines = absl::StrSplit(result.out, '\n', absl::SkipEmpty());
    ASSERT_THAT(lines, SizeIs(4)) << result.out;
    EXPECT_EQ(lines[0], "OK");
    EXPECT_THAT(lines[1],
                AllOf(StartsWith("ABORTED: "), HasSubstr("host 1 (host1)")));
    EXPECT_THAT(lines[2],
                AllOf(StartsWith("ABORTED: "), HasSubstr("host 1 (host1)")));
    EXPECT_EQ(lines[3], rank == 0 ? "d0 (0:1): [0]; d1 (1:2): [2]"
                                  : "d4 (2:3): [4]; d5 (3:4): [6]");
  }
}

TEST(ArrayOperationsTest, OperationsOnAFailedArrayHaveTheirPlaces_M10) {
  const auto lines = RunScenario("failed_operand", {2, 2});
  ASSERT_THAT(lines, Each(SizeIs(3)));
  for (const Lines& host : lines) {
    EXPECT_EQ(host[0], "OK");
    EXPECT_EQ(host[1], "[0 1 2 3]");
  }
  EXPECT_THAT(lines[1][2],
              AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("broadcast")));
}

}  // namespace
}  // namespace lockstep::internal
