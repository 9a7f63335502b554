// A program that trains, is ended, and goes on with other hosts and other
// shardings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "tests/multihost/host_programs.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::SizeIs;
using ::testing::StartsWith;

class MixedProgramTest : public ::testing::Test {
 protected:
  MixedProgramTest() : folder_(::testing::TempDir() + "/mixed.XXXXXX") {
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
  }
  ~MixedProgramTest() override { std::filesystem::remove_all(folder_); }

  // What every host printed, which is the same.
  Lines RunScenario(const std::string& scenario,
                    const std::vector<int>& devices) const {
    const std::vector<Lines> lines =
        RunHosts("tests/multihost/mixed_program", scenario, devices,
                 {{"CHECKPOINT_FOLDER", folder_}});
    EXPECT_THAT(lines, Each(lines[0]));
    return lines[0];
  }

  std::string folder_;
};

double LossOf(const std::string& line) {
  const std::vector<std::string> parts = absl::StrSplit(line, ": ");
  return std::strtod(parts.back().c_str(), nullptr);
}

// Bit for bit: the program's sums are exact.
TEST_F(MixedProgramTest, TrainingGoesOnWithOtherHostsAndShardings) {
  const Lines whole = RunScenario("uninterrupted", {2, 2, 2, 2});
  ASSERT_THAT(whole, SizeIs(8));
  EXPECT_THAT(Lines(whole.begin(), whole.begin() + 6),
              Each(StartsWith("loss ")));
  EXPECT_LT(LossOf(whole[5]), 0.5 * LossOf(whole[0]));
  Lines parts = RunScenario("until_the_save", {2, 2, 2, 2});
  EXPECT_THAT(parts, AllOf(SizeIs(3), Each(StartsWith("loss "))));
  for (const std::string& line : RunScenario("from_the_save", {2, 2, 2})) {
    parts.push_back(line);
  }
  EXPECT_EQ(parts, whole);
  // Without rows that only fill up, nor other hosts.
  EXPECT_EQ(RunScenario("uninterrupted", {1}), whole);
}

}  // namespace
}  // namespace lockstep::internal
