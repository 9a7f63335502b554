// Arrays of global shape with real hosts: rows M-1, M-3, M-4, M-5, M-6, M-7,
// M-9, M-10, M-13, M-14 and M-20 of docs/behaviour/multihost.md and T-27, L-1,
// L-2 of docs/behaviour/arrays.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/lockstep.h"
#include "tests/multihost/host_programs.h"
#include "tests/multihost/lockstep_command.h"
#include "tests/multihost/process_cluster.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kProgram[] = "tests/multihost/global_arrays_program";

// What each host printed, by rank. Fails when a host does.
std::vector<Lines> RunScenario(const std::string& scenario,
                               const std::vector<int>& devices) {
  return RunHosts(kProgram, scenario, devices);
}

TEST(GlobalArraysTest, HostsMakeTheirPartsByCallback_M1_M5) {
  const auto lines = RunScenario("callback", {4, 2, 2});
  ASSERT_THAT(lines, SizeIs(3));
  ASSERT_THAT(lines, Each(SizeIs(5)));
  EXPECT_EQ(lines[0][0],
            "d0 (0:2): [0 1]; d1 (2:4): [2 3]; d2 (4:6): [4 5]; d3 (6:8): "
            "[6 7]");
  EXPECT_EQ(lines[1][0], "d4 (8:10): [8 9]; d5 (10:12): [10 11]");
  EXPECT_EQ(lines[2][0], "d6 (12:14): [12 13]; d7 (14:16): [14 15]");
  EXPECT_EQ(lines[0][2], "4 calls, 8 shards, addressable: 0, bytes: 64");
  EXPECT_EQ(lines[2][2], "2 calls, 8 shards, addressable: 0, bytes: 64");
  for (const Lines& host : lines) {
    EXPECT_EQ(host[1], "Array(shape=(16,), dtype=int32)");
    EXPECT_THAT(host[3], StartsWith("FAILED_PRECONDITION: "));
    EXPECT_EQ(host[4], "[0 1 2 3]");
  }
  EXPECT_THAT(lines[1][3], AllOf(HasSubstr("2 of its 8 parts"),
                                 HasSubstr("host 0 (host0), host 2 (host2)"),
                                 Not(HasSubstr("host 1"))));
}

TEST(GlobalArraysTest, FetchableWhereEveryIndexIsHere_M3) {
  const Lines several = {"no no no yes yes", "no no yes yes"};
  EXPECT_THAT(RunScenario("fetchable", {4, 4}), Each(several));
  EXPECT_THAT(RunScenario("fetchable", {2, 2, 2, 2}), Each(several));
}

TEST(GlobalArraysTest, ArraysOnOtherHostsAreValues_M4) {
  const auto lines = RunScenario("elsewhere", {2, 2, 1});
  ASSERT_THAT(lines, SizeIs(3));
  const std::string there = "(4) here: 2 holds: 1";
  EXPECT_THAT(lines[1], ElementsAre("d2 (0:2): [0 1]; d3 (2:4): [2 3]", there,
                                    there, there, "OK"));
  const std::string not_here = "(4) here: 0 holds: 1";
  for (size_t host : {0, 2}) {
    ASSERT_THAT(lines[host], SizeIs(4)) << "an empty line is not kept";
    EXPECT_THAT(Lines(lines[host].begin(), lines[host].begin() + 3),
                Each(not_here));
    EXPECT_THAT(lines[host][3], AllOf(StartsWith("FAILED_PRECONDITION: "),
                                      HasSubstr("host 1 (host1)")));
  }
}

TEST(GlobalArraysTest, HostsPassTheirData_M7) {
  EXPECT_EQ(RunScenario("process_local_data", {8})[0][0], "(4, 4)");
  const auto two = RunScenario("process_local_data", {4, 4});
  const auto four = RunScenario("process_local_data", {2, 2, 2, 2});
  for (const Lines& host : two) EXPECT_EQ(host[0], "(8, 4)");
  for (const Lines& host : four) EXPECT_EQ(host[0], "(16, 4)");
  EXPECT_EQ(two[1][1],
            "d4 (4:6, 0:2): [[100 101] [104 105]]; "
            "d5 (4:6, 2:4): [[102 103] [106 107]]; "
            "d6 (6:8, 0:2): [[108 109] [112 113]]; "
            "d7 (6:8, 2:4): [[110 111] [114 115]]");
}

TEST(GlobalArraysTest, MeshThatIsNotUniformNeedsTheGlobalShape_M7) {
  const auto lines = RunScenario("uneven_mesh", {2, 2, 2, 2});
  ASSERT_THAT(lines, SizeIs(4));
  for (const Lines& host : lines) {
    EXPECT_THAT(
        host[0],
        AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("dimension 1"),
              HasSubstr("host 2: 0, 2"), HasSubstr("global shape")));
  }
  EXPECT_EQ(lines[2][1],
            "d4 (2:4, 0:2): [[200 201] [204 205]]; "
            "d5 (2:4, 4:6): [[202 203] [206 207]]");
}

TEST(GlobalArraysTest, ArraysOfDevicesAreJoined_M6) {
  const auto lines = RunScenario("device_arrays", {2, 2});
  ASSERT_THAT(lines, Each(SizeIs(5)));
  EXPECT_EQ(lines[0][0], "d0 (0:1): [0]; d1 (1:2): [1]");
  EXPECT_EQ(lines[1][0], "d2 (2:3): [2]; d3 (3:4): [3]");
  EXPECT_EQ(lines[0][2], "d0 (0:1): [0]; d1 (1:2): [1]");
  EXPECT_EQ(lines[1][2], "d2 (0:1): [0]; d3 (1:2): [1]");
  for (const Lines& host : lines) {
    EXPECT_THAT(host[3], AllOf(StartsWith("FAILED_PRECONDITION: "),
                               HasSubstr("(1:2)"), HasSubstr("host 0 (host0)"),
                               HasSubstr("host 1 (host1)")));
  }
  EXPECT_THAT(lines[0][1], StartsWith("INVALID_ARGUMENT: "));
  EXPECT_THAT(lines[1][1],
              AllOf(StartsWith("ABORTED: "), HasSubstr("host 0 (host0)")));
  for (const Lines& host : lines) EXPECT_EQ(host[4], "[0 1 2 3]");
}

TEST(GlobalArraysTest, OperationsOnAFailedArrayHaveTheirPlaces_M10) {
  const auto lines = RunScenario("failed_operand", {2, 2});
  ASSERT_THAT(lines, Each(SizeIs(3)));
  for (const Lines& host : lines) {
    EXPECT_EQ(host[0], "OK");
    EXPECT_EQ(host[1], "[0 1 2 3]");
  }
  EXPECT_THAT(lines[1][2],
              AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("broadcast")));
}

TEST(GlobalArraysTest, HostsThatDifferAreNamedOnAll_M18_M20) {
  const auto lines = RunScenario("differences", {2, 2});
  ASSERT_THAT(lines, Each(SizeIs(8)));
  for (const Lines& host : lines) {
    for (size_t i : {0, 1, 2, 3, 4}) {
      EXPECT_THAT(host[i], AllOf(StartsWith("FAILED_PRECONDITION: "),
                                 HasSubstr("host 0 (host0)"),
                                 HasSubstr("host 1 (host1)")));
    }
    EXPECT_THAT(host[0], AllOf(HasSubstr("shape"), HasSubstr("(4,)"),
                               HasSubstr("(8,)")));
    EXPECT_THAT(host[1], AllOf(HasSubstr("PartitionSpec('x',)"),
                               HasSubstr("PartitionSpec()")));
    EXPECT_THAT(host[2], HasSubstr("devices of the mesh"));
    EXPECT_THAT(host[3], HasSubstr("value"));
    EXPECT_THAT(host[4], HasSubstr("value"));
    EXPECT_EQ(host[5], "OK");
    EXPECT_EQ(host[7], "[0 1 2 3]");
  }
  EXPECT_THAT(lines[0][6],
              AllOf(StartsWith("NOT_FOUND: "), HasSubstr("no such file")));
  EXPECT_THAT(lines[1][6],
              AllOf(StartsWith("ABORTED: "), HasSubstr("host 0 (host0)"),
                    HasSubstr("no such file")));
}

TEST(GlobalArraysTest, PartOfSomeHostsIsComparedAmongThem_M20) {
  const auto lines = RunScenario("shared_part", {2, 2, 2});
  ASSERT_THAT(lines, Each(SizeIs(2)));
  EXPECT_EQ(lines[0][0], "d0 (0:1): [0]; d1 (1:2): [1]");
  EXPECT_EQ(lines[1][0], "d2 (0:1): [0]");
  EXPECT_EQ(lines[2][0], "d4 (1:2): [1]");
  EXPECT_EQ(lines[1][1], "d2 (0:1): [0]");
  for (size_t host : {0, 2}) {
    EXPECT_THAT(lines[host][1],
                AllOf(StartsWith("FAILED_PRECONDITION: "), HasSubstr("(1:2)"),
                      HasSubstr("host 0 (host0)"), HasSubstr("host 2 (host2)"),
                      Not(HasSubstr("host 1"))));
  }
}

TEST(GlobalArraysTest, LocalArraysBecomeGlobalAndLocalAgain_T27) {
  const auto lines = RunScenario("local_to_global", {4, 4});
  ASSERT_THAT(lines, Each(SizeIs(6)));
  for (const Lines& host : lines) {
    EXPECT_EQ(host[0], "(16, 4) and back (8, 4): 1");
    EXPECT_EQ(host[1], "(8, 4) and back (8, 4): 1");
    EXPECT_EQ(host[2], "(8, 4) and back (8, 4): 1");
    EXPECT_EQ(host[3], "(16, 4) and back (8, 4): 1");
    EXPECT_THAT(host[5], AllOf(StartsWith("FAILED_PRECONDITION: "),
                               HasSubstr("host 0 (host0)"),
                               HasSubstr("host 1 (host1)")));
  }
  EXPECT_EQ(lines[0][4],
            "d0 (0:1): [0]; d1 (1:2): [0]; d2 (2:3): [0]; d3 (3:4): [0]");
  EXPECT_EQ(lines[1][4],
            "d4 (4:5): [0]; d5 (5:6): [1]; d6 (6:7): [2]; d7 (7:8): [3]");
}

TEST(GlobalArraysTest, HostsOfAnyMeshGiveAndTakeTheirRows_L1_L2) {
  const auto lines = RunScenario("any_mesh", {4, 4});
  ASSERT_THAT(lines, Each(SizeIs(7)));
  EXPECT_EQ(lines[0][0], "d0 (0:2): [0 1]; d1 (4:6): [2 3]");
  EXPECT_EQ(lines[1][0], "d4 (2:4): [100 101]; d5 (6:8): [102 103]");
  EXPECT_EQ(lines[0][1], "[0 1 2 3]");
  EXPECT_EQ(lines[1][1], "[100 101 102 103]");
  for (const Lines& host : lines) {
    // B-5: the hosts' parts are no boxes.
    EXPECT_THAT(host[2], StartsWith("INVALID_ARGUMENT: "));
    EXPECT_THAT(host[5],
                AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("b/c"),
                      HasSubstr("'a'"), HasSubstr("False, True, False, True"),
                      HasSubstr("True, True, True, True")));
    EXPECT_THAT(host[6], StartsWith("FAILED_PRECONDITION: "));
  }
  EXPECT_EQ(lines[0][3],
            "d0 (0:1): [0]; d1 (2:3): [1]; d2 (4:5): [2]; d3 (6:7): [3]");
  EXPECT_EQ(lines[1][3],
            "d4 (1:2): [100]; d5 (3:4): [101]; d6 (5:6): [102]; d7 (7:8): "
            "[103]");
  EXPECT_EQ(lines[1][4], "[100 101 102 103]");
}

TEST(GlobalArraysTest, BatchesOfHostsBecomeOneAndAreResharded_S10) {
  const auto lines = RunScenario("batch", {4, 4});
  ASSERT_THAT(lines, Each(SizeIs(12)));
  EXPECT_EQ(lines[0][0],
            "d0 (0:2): [0 1]; d1 (2:4): [2 3]; d2 (4:6): [4 5]; d3 (6:8): [6 "
            "7]");
  EXPECT_EQ(lines[1][0],
            "d4 (8:10): [8 9]; d5 (10:12): [10 11]; d6 (12:14): [12 13]; d7 "
            "(14:16): [14 15]");
  for (int d = 0; d < 4; ++d) {
    EXPECT_THAT(lines[0][1], HasSubstr("d" + std::to_string(d) +
                                       " (0:8): [0 1 2 3 4 5 6 7]"));
    EXPECT_THAT(lines[1][1],
                HasSubstr("d" + std::to_string(d + 4) + " (8:16)"));
  }
  // Rows that cross hosts.
  EXPECT_EQ(lines[0][2],
            "d0 (0:4): [0 1 2 3]; d1 (4:8): [4 5 6 7]; d2 (8:12): [ 8  9 10 "
            "11]; d3 (12:16): [12 13 14 15]");
  EXPECT_EQ(lines[1][2],
            "d4 (0:4): [0 1 2 3]; d5 (4:8): [4 5 6 7]; d6 (8:12): [ 8  9 10 "
            "11]; d7 (12:16): [12 13 14 15]");
  EXPECT_EQ(lines[0][3],
            "d0 (0:2): [0 1]; d1 (4:6): [4 5]; d2 (8:10): [8 9]; d3 (12:14): "
            "[12 13]");
  EXPECT_EQ(
      lines[1][3],
      "d4 (2:4): [2 3]; d5 (6:8): [6 7]; d6 (10:12): [10 11]; d7 (14:16): "
      "[14 15]");
  EXPECT_THAT(lines[0][4], HasSubstr("d3 (ALL, 6:8): [[ 6  7] [14 15]]"));
  EXPECT_THAT(lines[1][4], HasSubstr("d4 (ALL, 8:10): [[100 101] [108 109]]"));
  // The mesh 7 1 0 5 2 4 3 6.
  EXPECT_EQ(
      lines[0][5],
      "d1 (2:4): [2 3]; d0 (4:6): [0 1]; d2 (8:10): [4 5]; d3 (12:14): [6 "
      "7]");
  EXPECT_EQ(lines[1][5],
            "d7 (0:2): [14 15]; d5 (6:8): [10 11]; d4 (10:12): [8 9]; d6 "
            "(14:16): [12 13]");
  for (const Lines& host : lines) {
    EXPECT_THAT(host[6], AllOf(StartsWith("INVALID_ARGUMENT: "),
                               HasSubstr("'z'"), HasSubstr("'x'")));
    EXPECT_THAT(host[7], AllOf(StartsWith("INVALID_ARGUMENT: "),
                               HasSubstr("batch of 6"), HasSubstr("4 local")));
    EXPECT_THAT(host[8], AllOf(StartsWith("INVALID_ARGUMENT: "),
                               HasSubstr("b: "), HasSubstr("batch of 7")));
  }
  EXPECT_THAT(lines[1][9], StartsWith("INVALID_ARGUMENT: "));
  EXPECT_THAT(lines[0][9],
              AllOf(StartsWith("ABORTED: "), HasSubstr("batch of 6")));
  EXPECT_THAT(lines[1][10], StartsWith("INVALID_ARGUMENT: "));
  EXPECT_THAT(lines[0][10],
              AllOf(StartsWith("ABORTED: "), HasSubstr("host 1 (host1)"),
                    HasSubstr("'z'")));
  for (const Lines& host : lines) EXPECT_EQ(host[11], host[0]);
}

TEST(GlobalArraysTest, EveryShardingBecomesEveryOther_M9) {
  EXPECT_THAT(RunScenario("reshard", {4, 4}), Each(ElementsAre("144 of 144")));
}

TEST(GlobalArraysTest, EveryShardingBecomesEveryOtherOnUnevenHosts_M9) {
  EXPECT_THAT(RunScenario("reshard", {4, 3, 1}),
              Each(ElementsAre("144 of 144")));
}

TEST(GlobalArraysTest, ArraysMoveToOtherHosts_M9) {
  const auto lines = RunScenario("other_devices", {2, 2, 2});
  ASSERT_THAT(lines, Each(SizeIs(9)));
  const std::vector<std::vector<int>> counts = {
      {2, 0, 1}, {2, 0, 1}, {0, 2, 1}};
  for (size_t host = 0; host < 3; ++host) {
    for (size_t i = 0; i < 9; ++i) {
      EXPECT_EQ(lines[host][i],
                absl::StrCat(counts[host][i % 3], " here, good: 1"));
    }
  }
}

TEST(GlobalArraysTest, OneDeviceTakesWhatItsHostCanFetch_M9) {
  const auto lines = RunScenario("one_device", {2, 2});
  for (const Lines& host : lines) {
    EXPECT_THAT(host[0],
                AllOf(StartsWith("FAILED_PRECONDITION: "),
                      HasSubstr("device 3"), HasSubstr("host 1 (host1)")));
  }
  ASSERT_THAT(lines[0], SizeIs(4));  // there is no line of the second call
  ASSERT_THAT(lines[1], SizeIs(5));
  EXPECT_EQ(lines[1][1], "d3 (ALL): [0 1 2 3]");
  EXPECT_EQ(lines[0][1], "[0 1 2 3]");
  EXPECT_THAT(lines[0][2],
              AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("device 0"),
                    HasSubstr("broadcast_one_to_all")));
  EXPECT_EQ(lines[0][3], "d1 (ALL): [0 1 2 3]");
  EXPECT_EQ(lines[1][4], "d3 (ALL): [0 1 2 3]");
}

TEST(GlobalArraysTest, HostsThatReshardDifferentlyExchangeNothing_M19) {
  const auto lines = RunScenario("other_reshard", {2, 2});
  ASSERT_THAT(lines, Each(SizeIs(2)));
  for (const Lines& host : lines) {
    EXPECT_THAT(host[0], AllOf(StartsWith("FAILED_PRECONDITION: "),
                               HasSubstr("host 0 (host0)"),
                               HasSubstr("host 1 (host1)")));
    EXPECT_EQ(host[1],
              "[[ 0  1  2  3] [ 4  5  6  7] [ 8  9 10 11] [12 13 14 15]]");
  }
}

TEST(GlobalArraysTest, HostThatIsLostWhileReshardingIsNamed) {
  HostCoordinator coordinator(3);
  std::vector<ChildProcess> hosts;
  for (size_t rank : {0, 1, 2}) {
    hosts.push_back(
        StartHost(kProgram, "lost_host", coordinator.address(), rank, 2));
  }
  for (size_t rank : {0, 2}) {
    const CommandResult result = Finish(hosts[rank]);
    EXPECT_TRUE(result.exit.is_success()) << result.exit.ToString();
    const Lines lines = absl::StrSplit(result.out, '\n', absl::SkipEmpty());
    ASSERT_THAT(lines, SizeIs(4)) << result.out;
    EXPECT_EQ(lines[0], "OK");
    EXPECT_THAT(lines[1],
                AllOf(StartsWith("ABORTED: "), HasSubstr("host 1 (host1)")));
    EXPECT_EQ(lines[2], "the old one holds: 1");
    EXPECT_EQ(lines[3], "OK");
  }
}

TEST(GlobalArraysTest, OperationsComputeOnTheDevicesOfTheArrays_M10) {
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

TEST(GlobalArraysTest, ReductionsCombineWhatAllHostsHave_M10) {
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
                               HasSubstr("global_arrays_program.cc")));
    EXPECT_EQ(host[6], "3");
  }
}

TEST(GlobalArraysTest, SlicesTakeOnePlaceWhateverIsWrongOnAHost_M10) {
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

TEST(GlobalArraysTest, OperationsOnOtherHostsDoNothing_M4_M10) {
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

TEST(GlobalArraysTest, HostsThatOperateDifferentlyAreTold_M10_M19) {
  const auto lines = RunScenario("other_operations", {2, 2});
  ASSERT_THAT(lines, Each(SizeIs(2)));
  for (const Lines& host : lines) {
    EXPECT_THAT(host[0], AllOf(StartsWith("FAILED_PRECONDITION: "),
                               HasSubstr("'add'"), HasSubstr("'subtract'")));
  }
  EXPECT_EQ(lines[1][1], "d2 (2:3): [4]; d3 (3:4): [6]");
}

TEST(GlobalArraysTest, HostThatIsLostIsNamedByAllThatIsComputed_M10) {
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

TEST(GlobalArraysTest, ValuesGoFromHostToHost_M13) {
  const auto lines = RunScenario("gather", {2, 1});
  ASSERT_THAT(lines, Each(SizeIs(11)));
  for (const Lines& host : lines) {
    EXPECT_EQ(host[0], "[[0 1 2 3] [4 5 6 7]]");
    EXPECT_EQ(host[1], "[0 1 2 3 4 5 6 7]");
    EXPECT_EQ(host[2], "[0 4]");
    EXPECT_EQ(host[3], "[0 4]");
    EXPECT_EQ(host[4], "[0.5 4.5]");
    EXPECT_EQ(host[5], "[[ True False] [ True False]]");
    EXPECT_EQ(host[6], "[0 1 2 3]");
    EXPECT_THAT(host[7],
                AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("tiled")));
    EXPECT_THAT(host[8], AllOf(StartsWith("INVALID_ARGUMENT: "),
                               HasSubstr("in call "), HasSubstr("(2,)"),
                               HasSubstr("(3,)"), HasSubstr("host 0 (host0)"),
                               HasSubstr("host 1 (host1)")));
    EXPECT_THAT(host[9], AllOf(StartsWith("INVALID_ARGUMENT: "),
                               HasSubstr("float32"), HasSubstr("int32")));
    EXPECT_EQ(host[10], "[0 4]");
  }
}

TEST(GlobalArraysTest, SomeHostsExchangeWithoutTheOthers_M13) {
  HostCoordinator coordinator(3);
  std::vector<ChildProcess> hosts;
  for (size_t rank : {0, 1, 2}) {
    hosts.push_back(
        StartHost(kProgram, "gather_of_some", coordinator.address(), rank, 1));
  }
  const Lines killed = absl::StrSplit(Finish(hosts[1]).out, '\n');
  ASSERT_THAT(killed, SizeIs(3));
  EXPECT_EQ(killed[0],
            "INVALID_ARGUMENT: process_allgather: host 1 (host1) is not among "
            "the hosts of the call");
  for (size_t rank : {0, 2}) {
    const CommandResult result = Finish(hosts[rank]);
    EXPECT_TRUE(result.exit.is_success()) << result.exit.ToString();
    const Lines lines = absl::StrSplit(result.out, '\n', absl::SkipEmpty());
    ASSERT_THAT(lines, SizeIs(4)) << result.out;
    EXPECT_EQ(lines[0], "[[0] [2]]");
    EXPECT_EQ(lines[1], "[[0] [1] [2]]");
    EXPECT_THAT(lines[2],
                AllOf(StartsWith("ABORTED: "), HasSubstr("host 1 (host1)")));
    EXPECT_EQ(lines[3], "[[0] [2]]");
  }
}

TEST(GlobalArraysTest, OneHostTellsAll_M13) {
  const auto lines = RunScenario("broadcast", {1, 1, 2, 1});
  ASSERT_THAT(lines, Each(SizeIs(6)));
  for (const Lines& host : lines) {
    EXPECT_EQ(host[0], "[0 1 2 3]");
    EXPECT_EQ(host[1], "[4 5 6 7] uint8");
    EXPECT_EQ(host[2], "[-0.]");
    EXPECT_THAT(host[3],
                AllOf(StartsWith("INVALID_ARGUMENT: "),
                      HasSubstr("host 1 (host1), host 2 (host2), host 3"),
                      Not(HasSubstr("host 0"))));
    EXPECT_THAT(host[4], StartsWith("INVALID_ARGUMENT: "));
    EXPECT_EQ(host[5], "[8]");
  }
}

TEST(GlobalArraysTest, EqualityIsThatOfTheBits_M14) {
  const auto lines = RunScenario("equality", {1, 1, 1});
  ASSERT_THAT(lines, Each(SizeIs(4)));
  for (const Lines& host : lines) {
    EXPECT_EQ(host[0], "OK");
    EXPECT_THAT(host[1], AllOf(StartsWith("FAILED_PRECONDITION: "),
                               HasSubstr("(0,)"), HasSubstr("-0.0"),
                               HasSubstr("[host 0 (host0), host 2 (host2)] "
                                         "[host 1 (host1)]")));
    EXPECT_THAT(host[2],
                AllOf(StartsWith("FAILED_PRECONDITION: "), HasSubstr("b/0"),
                      HasSubstr("(1, 0)"), HasSubstr("3"), HasSubstr("7"),
                      HasSubstr("host 2")));
    EXPECT_EQ(host[3], "OK");
  }
}

// The global view: the client sees all shards, and they move from worker to
// worker.
ProcessCluster::Options TwoByFour() {
  ProcessCluster::Options options;
  options.hosts = 2;
  options.devices_per_host = 4;
  return options;
}

class GlobalViewArraysTest : public ::testing::Test {
 protected:
  GlobalViewArraysTest() : cluster_(TwoByFour()) {
    auto client = Client::Connect(cluster_.address());
    EXPECT_TRUE(client.ok()) << client.status();
    client_.emplace(*std::move(client));
  }

  NamedSharding On(std::vector<int64_t> dims, PartitionSpec spec,
                   const std::vector<int>& ids = {0, 1, 2, 3, 4, 5, 6,
                                                  7}) const {
    std::vector<Device> devices;
    for (int id : ids) devices.push_back(client_->devices()[id]);
    return *NamedSharding::Create(
        *Mesh::Create({std::move(dims), std::move(devices)}, {"x", "y"}),
        std::move(spec));
  }

  ProcessCluster cluster_;
  std::optional<Client> client_;
};

std::vector<int32_t> Numbers(int count) {
  std::vector<int32_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

TEST_F(GlobalViewArraysTest, EveryShardIsAddressable_M1) {
  const auto array =
      client_->device_put(Array(Numbers(8)), On({4, 2}, PartitionSpec("x")));
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_TRUE(array->is_fully_addressable());
  EXPECT_TRUE(array->is_fetchable());
  EXPECT_EQ(*array->ToString(), "[0 1 2 3 4 5 6 7]");
  const std::vector<ArrayShard> shards = array->addressable_shards();
  ASSERT_EQ(shards.size(), 8u);
  EXPECT_EQ(*shards[5].data->ToString(), "[4 5]");
  EXPECT_EQ(shards[5].replica_id, 1);
}

TEST_F(GlobalViewArraysTest, ShardOutlivesItsArray) {
  std::optional<Array> shard;
  {
    const auto array =
        client_->device_put(Array(Numbers(8)), On({8, 1}, PartitionSpec("x")));
    ASSERT_TRUE(array.ok()) << array.status();
    shard = *array->addressable_data(6);
  }
  EXPECT_EQ(*shard->ToString(), "[6]");
}

TEST_F(GlobalViewArraysTest, ShardingsBecomeOthers_M9) {
  const Array value = *Array::FromValues<int32_t>({8, 16}, Numbers(128));
  const NamedSharding shardings[] = {
      On({4, 2}, PartitionSpec("x", "y")),
      On({2, 4}, PartitionSpec(nullptr, AxisTuple{"y", "x"}),
         {5, 0, 7, 2, 1, 4, 3, 6}),
      On({8, 1}, PartitionSpec())};
  for (const NamedSharding& from : shardings) {
    const auto array = client_->device_put(value, from);
    ASSERT_TRUE(array.ok()) << array.status();
    for (const NamedSharding& to : shardings) {
      const auto moved = client_->device_put(*array, to);
      ASSERT_TRUE(moved.ok()) << moved.status();
      EXPECT_EQ(moved->sharding(), Sharding(to));
      ASSERT_TRUE(moved->Fetch().ok()) << moved->Fetch().status();
      EXPECT_EQ(*moved->Fetch(), *value.Fetch());
    }
  }
}

TEST_F(GlobalViewArraysTest, RowsOfAMappedFunctionAreResharded_M9) {
  auto twice = client_->pmap([](Tensor x) { return 2 * x; });
  const auto rows = twice(*Array::FromValues<int32_t>({8, 2}, Numbers(16)));
  ASSERT_TRUE(rows.ok()) << rows.status();
  const auto columns =
      client_->device_put(*rows, On({2, 4}, PartitionSpec(nullptr, "x")));
  ASSERT_TRUE(columns.ok()) << columns.status();
  EXPECT_EQ(*columns->Fetch(), *rows->Fetch());
  EXPECT_EQ(columns->addressable_data(7)->shape(),
            Shape(ElementType::kS32, {8, 1}));
}

TEST_F(GlobalViewArraysTest, OtherDevices_M9) {
  const auto array =
      client_->device_put(Array(Numbers(8)), On({8, 1}, PartitionSpec("x")));
  ASSERT_TRUE(array.ok()) << array.status();
  const auto fewer =
      client_->device_put(*array, On({2, 1}, PartitionSpec("x"), {6, 1}));
  ASSERT_TRUE(fewer.ok()) << fewer.status();
  EXPECT_EQ(*fewer->ToString(), "[0 1 2 3 4 5 6 7]");
  EXPECT_EQ(*fewer->addressable_data(0)->ToString(), "[0 1 2 3]");
  const auto one = client_->device_put(*fewer, client_->devices()[6]);
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_EQ(*one->ToString(), "[0 1 2 3 4 5 6 7]");
  // To devices that have nothing of it.
  const auto more = client_->device_put(*fewer, On({8, 1}, PartitionSpec("x")));
  ASSERT_TRUE(more.ok()) << more.status();
  EXPECT_EQ(*more->ToString(), "[0 1 2 3 4 5 6 7]");
  EXPECT_EQ(*more->addressable_data(7)->ToString(), "[7]");
  const auto there = client_->device_put(*one, client_->devices()[0]);
  ASSERT_TRUE(there.ok()) << there.status();
  EXPECT_EQ(there->devices()[0], GlobalDeviceId(0));
  EXPECT_EQ(*there->ToString(), "[0 1 2 3 4 5 6 7]");
  // Rows of a mapped function on some devices, too.
  auto twice = client_->pmap(
      [](Tensor x) { return 2 * x; },
      {.devices = {{client_->devices()[4], client_->devices()[5]}}});
  const auto rows = twice(Array({1, 2}));
  ASSERT_TRUE(rows.ok()) << rows.status();
  const auto elsewhere =
      client_->device_put(*rows, On({2, 1}, PartitionSpec("x"), {0, 7}));
  ASSERT_TRUE(elsewhere.ok()) << elsewhere.status();
  EXPECT_EQ(*elsewhere->ToString(), "[2 4]");
}

TEST_F(GlobalViewArraysTest, OperationsComputeOnTheDevicesOfTheArrays_M10) {
  const Array value = *Array::FromValues<int32_t>({8, 4}, Numbers(32));
  const Literal expected = *(value * 3 - value / 2.0).Fetch();
  const NamedSharding both = On({4, 2}, PartitionSpec("x", "y"));
  const Array x = *client_->device_put(value, both);
  const Array y =
      *client_->device_put(value, On({2, 4}, PartitionSpec(nullptr, "y")));
  const Array result = x * 3 - y / 2.0;
  ASSERT_TRUE(result.Await().ok()) << result.Await();
  EXPECT_EQ(*result.Fetch(), expected);
  EXPECT_EQ(result.sharding(), Sharding(both));
  auto twice = client_->pmap([](Tensor t) { return 2 * t; });
  const Array rows = *twice(value);
  EXPECT_EQ(*(rows - value).Fetch(), *value.Fetch());
  EXPECT_EQ((rows + 1).sharding(), rows.sharding());
}

TEST_F(GlobalViewArraysTest, ReductionsCombineWhatAllHostsHave_M10) {
  for (const ElementType type :
       {ElementType::kS32, ElementType::kF32, ElementType::kBF16}) {
    const Array value(
        *astype(*Array::FromValues<int32_t>({8, 4}, Numbers(32)), type)
             .Fetch());
    for (const PartitionSpec& spec :
         {PartitionSpec("x", "y"), PartitionSpec("y"),
          PartitionSpec(AxisTuple{"y", "x"})}) {
      const Array x = *client_->device_put(value, On({4, 2}, spec));
      const auto expect = [&](const Array& result, const Array& expected) {
        ASSERT_TRUE(result.Await().ok()) << result.Await();
        EXPECT_EQ(*result.Fetch(), *expected.Fetch()) << spec.ToString();
      };
      expect(max(x), max(value));
      expect(sum(x, 1), sum(value, 1));
      expect(mean(x, 1, true), mean(value, 1, true));
      expect(all(x >= 0, 0), all(value >= 0, 0));
    }
  }
  const Array x =
      *client_->device_put(*Array::FromValues<int32_t>({8}, Numbers(8)),
                           On({8, 1}, PartitionSpec("x")));
  EXPECT_EQ(sum(x, 1).Await().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(sum(x).ToString().value(), "28");  // the cluster goes on
}

TEST_F(GlobalViewArraysTest, ArraysOfDevicesAreJoined_M6) {
  const std::vector<Device> devices = client_->devices();
  std::vector<Array> parts;
  for (int32_t i : {6, 1, 4}) {  // in any order
    parts.push_back(
        *client_->device_put(Array({10 * i, 10 * i + 1}), devices[i]));
  }
  const NamedSharding rows = On({3, 1}, PartitionSpec("x"), {1, 4, 6});
  const ArrayOptions here = {.view = client_->view()};
  const auto joined =
      make_array_from_single_device_arrays({6}, rows, parts, here);
  ASSERT_TRUE(joined.ok()) << joined.status();
  EXPECT_EQ(joined->sharding(), Sharding(rows));
  EXPECT_EQ(*joined->ToString(), "[10 11 40 41 60 61]");
  EXPECT_EQ(*parts[0].ToString(), "[60 61]");
  // An operand like others.
  EXPECT_EQ(*(*joined + 1).ToString(), "[11 12 41 42 61 62]");
  // One is missing; one is there twice.
  parts.pop_back();
  EXPECT_EQ(make_array_from_single_device_arrays({6}, rows, parts, here)
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
  parts.push_back(parts[0]);
  EXPECT_EQ(make_array_from_single_device_arrays({6}, rows, parts, here)
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(GlobalViewArraysTest, AnErrorOfAnArrayEndsItsWayToOtherDevices_M9) {
  const Array bad = *client_->device_put(
                        Array({1, 2}), On({2, 1}, PartitionSpec("x"), {0, 1})) +
                    Array({1, 2, 3});
  EXPECT_EQ(client_->device_put(bad, client_->devices()[5]).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(GlobalViewArraysTest, CallbackMakesEveryPart_M5) {
  int calls = 0;
  const auto array = client_->make_array_from_callback(
      {8}, On({4, 2}, PartitionSpec("x")), [&](const ShardIndex& index) {
        ++calls;
        const auto first = static_cast<int32_t>(index[0].start());
        return Array({first, first + 1});
      });
  ASSERT_TRUE(array.ok()) << array.status();
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(*array->ToString(), "[0 1 2 3 4 5 6 7]");
  // Arrays over a mesh are arguments like others.
  auto negate = client_->pmap([](Tensor x) { return -x; });
  EXPECT_EQ(*negate(*array)->ToString(), "[ 0 -1 -2 -3 -4 -5 -6 -7]");
}

}  // namespace
}  // namespace lockstep::internal
