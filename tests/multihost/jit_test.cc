// Programs over whole arrays from C++, whose partitions are devices of several
// hosts: rows T-26 and S-6 of docs/behaviour/partitioning.md, Y-7, Y-8, Y-13
// and Y-14 of docs/behaviour/shardings.md.
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

std::vector<Lines> RunScenario(const std::string& scenario) {
  return RunHosts("tests/multihost/jit_program", scenario, {4, 4});
}

TEST(JitTest, LayersAreSplitOverHosts) {
  const std::string whole = "[[  0.   0.] [  1. -13.] [ -8.   4.] [ 23.   1.]]";
  const auto lines = RunScenario("layers");
  ASSERT_THAT(lines, ElementsAre(SizeIs(4), SizeIs(4)));
  for (const Lines& host : lines) {
    EXPECT_EQ(host[0], host[1]);
    EXPECT_EQ(host[0], lines[0][0]);
    EXPECT_EQ(host[3], lines[0][3]);
  }
  EXPECT_EQ(lines[0][0], whole);
  EXPECT_THAT(lines[0][2], StartsWith("(0:1, ALL): [[0. 0.]]"));
  EXPECT_THAT(lines[1][2], StartsWith("(2:3, ALL): [[-8.  4.]]"));
}

TEST(JitTest, ShardMapGathersFromBothHosts_Y7) {
  EXPECT_THAT(RunScenario("shard_map"),
              Each(ElementsAre("[[-2. -1.] [ 0.  1.] [ 2. -2.] [-1.  0.]]",
                               "[[-1. -2.]]")));
}

TEST(JitTest, MatmulOfTheGuideIsPartitionedOverHosts_Y14) {
  const auto lines = RunScenario("custom_partitioning");
  ASSERT_THAT(lines, ElementsAre(SizeIs(7), SizeIs(7)));
  // Two devices have each row.
  EXPECT_EQ(lines[0][0],
            "(ALL, ALL, 0:1, ALL): [[[[4. 5. 6. 7.]]]]; "
            "(ALL, ALL, 0:1, ALL): [[[[4. 5. 6. 7.]]]]; "
            "(ALL, ALL, 1:2, ALL): [[[[12. 17. 22. 27.]]]]; "
            "(ALL, ALL, 1:2, ALL): [[[[12. 17. 22. 27.]]]]");
  EXPECT_EQ(lines[1][0],
            "(ALL, ALL, 2:3, ALL): [[[[20. 29. 38. 47.]]]]; "
            "(ALL, ALL, 2:3, ALL): [[[[20. 29. 38. 47.]]]]; "
            "(ALL, ALL, 3:4, ALL): [[[[28. 41. 54. 67.]]]]; "
            "(ALL, ALL, 3:4, ALL): [[[[28. 41. 54. 67.]]]]");
  for (const Lines& host : lines) {
    for (const size_t i : {1, 3, 5}) EXPECT_EQ(host[i], host[i + 1]);
  }
}

TEST(JitTest, HostsThatPartitionDifferentlyAreNamed_Y13) {
  EXPECT_THAT(RunScenario("custom_partitioning_disagreement"),
              Each(ElementsAre(AllOf(StartsWith("FAILED_PRECONDITION: "),
                                     HasSubstr("scaled")))));
}

TEST(JitTest, ParametersMoveToDevicesOfAllHosts_T26) {
  EXPECT_THAT(
      RunScenario("move_parameters"),
      Each(ElementsAre("[[-2. -1.  0.  1.] [ 2. -2. -1.  0.]]", "[-2. -1.]")));
}

TEST(JitTest, HostsThatDisagreeAreNamed) {
  const auto lines = RunScenario("disagreement");
  ASSERT_THAT(lines, ElementsAre(SizeIs(3), SizeIs(3)));
  for (const Lines& host : lines) {
    EXPECT_THAT(host[0],
                AllOf(StartsWith("FAILED_PRECONDITION: "), HasSubstr("step")));
    EXPECT_EQ(host[2], "[-1.  0.  1.  2.]");
  }
  EXPECT_THAT(lines[1][1],
              AllOf(StartsWith("INVALID_ARGUMENT: "),
                    HasSubstr("jit_program.cc:"), HasSubstr("rows")));
  EXPECT_THAT(lines[0][1], AllOf(StartsWith("ABORTED: "), HasSubstr("host 1"),
                                 HasSubstr("rows")));
}

TEST(JitTest, CallsBehindAFailureMeetTheirLike) {
  const auto lines = RunScenario("failure_beside_moves");
  ASSERT_THAT(lines, ElementsAre(SizeIs(3), SizeIs(3)));
  EXPECT_THAT(lines[1][0],
              AllOf(StartsWith("INVALID_ARGUMENT: "), HasSubstr("rows")));
  EXPECT_THAT(lines[0][0], AllOf(StartsWith("ABORTED: "), HasSubstr("host 1"),
                                 HasSubstr("rows")));
  for (const Lines& host : lines) {
    EXPECT_EQ(host[1], "[[-1.  0.] [ 1.  2.] [ 3. -1.] [ 0.  1.]]");
    EXPECT_EQ(host[2], "[[0. 1.] [2. 3.] [4. 0.] [1. 2.]]");
  }
}

TEST(JitTest, HostWithoutADeviceOfTheMeshIsInNoCall) {
  const auto lines = RunScenario("mesh_of_one_host");
  ASSERT_THAT(lines, ElementsAre(SizeIs(2), SizeIs(2)));
  EXPECT_EQ(lines[0][0], "[-1.  0.  1.  2.]");
  EXPECT_THAT(lines[1][0],
              AllOf(StartsWith("FAILED_PRECONDITION: "), HasSubstr("host 1")));
  EXPECT_EQ(lines[0][1], "[-1.  0.  1.  2.]");
  EXPECT_EQ(lines[1][1], lines[0][1]);
}

}  // namespace
}  // namespace lockstep::internal
