#include "runtime/backends/step_frames.h"

#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

TEST(StepFramesTest, BranchesOfOneConditionalExcludeEachOther) {
  StepFrames frames;
  frames.EnterLoop();
  const int loop = frames.current();
  frames.EnterBranch(/*conditional=*/7, 0);
  const int first = frames.current();
  frames.Leave();
  frames.EnterBranch(7, 1);
  frames.EnterLoop();
  const int inner = frames.current();
  frames.Leave();
  const int second = frames.current();
  frames.Leave();
  frames.EnterBranch(9, 0);
  const int other = frames.current();

  EXPECT_TRUE(frames.Between(first, second).is_exclusive);
  EXPECT_TRUE(frames.Between(inner, first).is_exclusive);
  EXPECT_FALSE(frames.Between(first, other).is_exclusive);
  EXPECT_FALSE(frames.Between(inner, second).is_exclusive);
  EXPECT_FALSE(frames.Between(first, loop).is_exclusive);
  EXPECT_FALSE(frames.Between(first, first).is_exclusive);
}

TEST(StepFramesTest, TheLoopOfTwoFramesIsTheInnermostAroundBoth) {
  StepFrames frames;
  frames.EnterLoop();
  const int outer = frames.current();
  frames.EnterLoop();
  const int inner = frames.current();
  frames.EnterBranch(3, 0);
  const int branch = frames.current();
  frames.Leave();
  frames.Leave();
  frames.EnterLoop();
  const int sibling = frames.current();

  EXPECT_EQ(frames.LoopOf(0), 0);
  EXPECT_EQ(frames.LoopOf(branch), inner);
  EXPECT_EQ(frames.Between(branch, inner).loop, inner);
  EXPECT_EQ(frames.Between(branch, sibling).loop, outer);
  EXPECT_EQ(frames.Between(branch, 0).loop, 0);
  EXPECT_FALSE(frames.Between(inner, sibling).is_exclusive);
}

}  // namespace
}  // namespace lockstep::internal
