#include "runtime/executable/buffer_planner.h"

#include <algorithm>
#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;

int64_t RoundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// The most bytes that are alive at one time: no plan needs less.
int64_t LowerBound(const std::vector<LiveRange>& ranges, int64_t alignment) {
  int64_t bound = 0;
  for (const LiveRange& at : ranges) {
    int64_t alive = 0;
    for (const LiveRange& range : ranges) {
      if (range.start <= at.start && at.start <= range.end) {
        alive += RoundUp(range.size, alignment);
      }
    }
    bound = std::max(bound, alive);
  }
  return bound;
}

void ExpectSound(const std::vector<LiveRange>& ranges, int64_t alignment) {
  const BufferPlan plan = PlanBuffers(ranges, alignment);
  ASSERT_EQ(plan.offsets.size(), ranges.size());
  int64_t end = 0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    ASSERT_EQ(plan.offsets[i] % alignment, 0);
    end = std::max(end, plan.offsets[i] + ranges[i].size);
    for (size_t j = 0; j < i; ++j) {
      if (ranges[i].size == 0 || ranges[j].size == 0) continue;
      if (!ranges[i].Overlaps(ranges[j])) continue;
      ASSERT_TRUE(plan.offsets[i] + ranges[i].size <= plan.offsets[j] ||
                  plan.offsets[j] + ranges[j].size <= plan.offsets[i])
          << "ranges " << j << " and " << i << " share memory";
    }
  }
  ASSERT_GE(plan.arena_size, end);
  ASSERT_GE(plan.arena_size, LowerBound(ranges, alignment));
}

TEST(BufferPlannerTest, NothingNeedsNothing) {
  EXPECT_EQ(PlanBuffers({}, 64).arena_size, 0);
}

TEST(BufferPlannerTest, ValuesThatDoNotMeetShareMemory) {
  const std::vector<LiveRange> ranges = {{100, 0, 1}, {100, 2, 3}};
  const BufferPlan plan = PlanBuffers(ranges, 64);
  EXPECT_THAT(plan.offsets, ElementsAre(0, 0));
  EXPECT_EQ(plan.arena_size, 128);
}

TEST(BufferPlannerTest, ValueThatEndsWhereAnotherStartsKeepsItsMemory) {
  const std::vector<LiveRange> ranges = {{64, 0, 2}, {64, 2, 3}};
  EXPECT_THAT(PlanBuffers(ranges, 64).offsets, ElementsAre(0, 64));
}

TEST(BufferPlannerTest, SmallValueFillsTheGapBelow) {
  // The two large ones leave [0,256) free at step 5.
  const std::vector<LiveRange> ranges = {{256, 0, 4}, {192, 3, 6}, {64, 5, 6}};
  EXPECT_THAT(PlanBuffers(ranges, 64).offsets, ElementsAre(0, 256, 0));
}

TEST(BufferPlannerTest, EmptyValuesTakeNoRoom) {
  const std::vector<LiveRange> ranges = {{0, 0, 9}, {0, 0, 9}};
  EXPECT_EQ(PlanBuffers(ranges, 64).arena_size, 0);
}

// Every combination of three values over four steps and three sizes.
TEST(BufferPlannerTest, EverySmallProgramIsSound) {
  std::vector<LiveRange> kinds;
  for (int64_t size : {0, 1, 5}) {
    for (int64_t start = 0; start < 4; ++start) {
      for (int64_t end = start; end < 4; ++end) {
        kinds.push_back({size, start, end});
      }
    }
  }
  for (const LiveRange& a : kinds) {
    for (const LiveRange& b : kinds) {
      for (const LiveRange& c : kinds) ExpectSound({a, b, c}, 4);
    }
  }
}

TEST(BufferPlannerTest, RandomProgramsAreSoundAndRepeatable) {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    std::vector<LiveRange> ranges;
    for (int i = 0; i < 40; ++i) {
      const int64_t start = random() % 30;
      ranges.push_back({static_cast<int64_t>(random() % 1000), start,
                        start + static_cast<int64_t>(random() % 8)});
    }
    ExpectSound(ranges, 64);
    EXPECT_EQ(PlanBuffers(ranges, 64).offsets, PlanBuffers(ranges, 64).offsets);
  }
}

}  // namespace
}  // namespace lockstep::internal
