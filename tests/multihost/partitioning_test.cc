// Data and parameters of real hosts: rows T-13, T-17 and S-9 of
// docs/behaviour/partitioning.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/multihost/host_programs.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kProgram[] = "tests/multihost/partitioning_program";

// What each host printed, by rank. Fails when a host does.
std::vector<Lines> RunScenario(const std::string& scenario,
                               const std::vector<int>& devices) {
  return RunHosts(kProgram, scenario, devices);
}

TEST(PartitioningTest, EveryHostReadsItsShard_T17) {
  const auto lines = RunScenario("default_layout", {2, 2, 2});
  ASSERT_THAT(lines, SizeIs(3));
  ASSERT_THAT(lines, Each(SizeIs(5)));
  EXPECT_EQ(lines[0][0], "shard 0 of 3, batch 6, first");
  EXPECT_EQ(lines[1][0], "shard 1 of 3, batch 6, first");
  EXPECT_EQ(lines[2][0], "shard 2 of 3, batch 6, first");
  EXPECT_EQ(lines[0][1], "d0 (0:2): [0 1]; d1 (0:2): [0 1]");
  EXPECT_EQ(lines[2][1], "d4 (4:6): [4 5]; d5 (4:6): [4 5]");
  EXPECT_EQ(lines[1][2], "shard 1 of 3, batch 3, first");
  for (const Lines& host : lines) {
    EXPECT_THAT(host[3], AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("7"),
                               HasSubstr("3 devices")));
    EXPECT_THAT(host[4],
                AllOf(StartsWith("UNIMPLEMENTED: "), HasSubstr("host_index")));
  }
}

TEST(PartitioningTest, HostsWithOneShardReadTheSame_T13_T17) {
  const auto lines = RunScenario("replicated_layout", {2, 2, 2, 2});
  EXPECT_THAT(lines,
              ElementsAre(ElementsAre("shard 0 of 2, batch 6",
                                      "d0 (0:3): [0 1 2]; d1 (0:3): [0 1 2]",
                                      "(ALL, 4:8), replica 0"),
                          ElementsAre("shard 1 of 2, batch 6, first",
                                      "d2 (3:6): [3 4 5]; d3 (3:6): [3 4 5]",
                                      "(ALL, 0:4), replica 1"),
                          ElementsAre("shard 0 of 2, batch 6, first",
                                      "d4 (0:3): [0 1 2]; d5 (0:3): [0 1 2]",
                                      "(ALL, 0:4), replica 0"),
                          ElementsAre("shard 1 of 2, batch 6",
                                      "d6 (3:6): [3 4 5]; d7 (3:6): [3 4 5]",
                                      "(ALL, 4:8), replica 1")));
}

// The orders of file_set_test.cc, dealt.
TEST(PartitioningTest, HostsDealTheFilesOfEachEpoch) {
  EXPECT_THAT(RunScenario("shuffled_files", {1, 1}),
              ElementsAre(ElementsAre("f03 f05 f01", "f04 f05 f00", "OK"),
                          ElementsAre("f04 f00 f02", "f02 f03 f01", "OK")));
  EXPECT_THAT(RunScenario("shuffled_files", {2, 2, 2}),
              ElementsAre(ElementsAre("f03 f00", "f04 f03", "OK"),
                          ElementsAre("f04 f01", "f02 f00", "OK"),
                          ElementsAre("f05 f02", "f05 f01", "OK")));
}

TEST(PartitioningTest, ParametersAreShardedAndGathered_S9) {
  const auto lines = RunScenario("shard_and_gather", {2, 2});
  const std::string all = "[[0 1] [2 3] [4 5] [6 7]] [0 1 2 3] [10 11]";
  EXPECT_THAT(lines,
              ElementsAre(ElementsAre("d0 (0:2, ALL): [[0 1] [2 3]]; "
                                      "d1 (0:2, ALL): [[0 1] [2 3]]",
                                      "d0 (0:1): [0]; d1 (2:3): [2]", all),
                          ElementsAre("d2 (2:4, ALL): [[4 5] [6 7]]; "
                                      "d3 (2:4, ALL): [[4 5] [6 7]]",
                                      "d2 (1:2): [1]; d3 (3:4): [3]", all)));
}

}  // namespace
}  // namespace lockstep::internal
