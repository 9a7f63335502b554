// Arrays of global shape with real hosts: rows M-1, M-3, M-4, M-5, M-6, M-7,
// M-9, M-13, M-14 and M-20 of docs/behaviour/multihost.md and T-27, L-1,
// L-2 of docs/behaviour/arrays.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tests/multihost/host_programs.h"
#include "tests/multihost/lockstep_command.h"

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

}  // namespace
}  // namespace lockstep::internal
