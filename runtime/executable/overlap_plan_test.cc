#include "runtime/executable/overlap_plan.h"

#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using Kind = OverlapUnit::Kind;

BufferSlice At(int64_t offset, int64_t size = 64, int allocation = 0) {
  return {allocation, offset, size};
}

OverlapUnit Unit(Kind kind, std::vector<BufferSlice> reads,
                 std::vector<BufferSlice> writes) {
  OverlapUnit unit;
  unit.kind = kind;
  for (const BufferSlice& slice : reads) {
    unit.uses.push_back(BufferUse::Read(slice));
    unit.bytes += slice.size;
  }
  for (const BufferSlice& slice : writes) {
    unit.uses.push_back(BufferUse::Write(slice));
    unit.bytes += slice.size;
  }
  return unit;
}
OverlapUnit Work(std::vector<BufferSlice> reads,
                 std::vector<BufferSlice> writes) {
  return Unit(Kind::kWork, std::move(reads), std::move(writes));
}
// Reads [0, 64), writes [64, 128).
OverlapUnit Collective(int64_t from = 0, int64_t to = 64) {
  return Unit(Kind::kCollective, {At(from)}, {At(to)});
}
OverlapUnit Meeting() { return Unit(Kind::kMeeting, {}, {}); }

std::vector<int> Plan(const std::vector<OverlapUnit>& units,
                      const OverlapPolicy& policy = OverlapPolicy::Always()) {
  return PlanOverlap(units, policy);
}

TEST(OverlapPlanTest, NothingBesideIt_RunsWhereItStands) {
  EXPECT_THAT(Plan({Collective()}), ElementsAre(0));
  EXPECT_THAT(Plan({Collective(), Work({At(64)}, {At(512)})}),
              ElementsAre(0, 0));
  EXPECT_THAT(Plan({Work({}, {At(512)}), Collective()}), ElementsAre(0, 0));
}

TEST(OverlapPlanTest, IsAwaitedBeforeTheFirstThatDependsOnIt) {
  const OverlapUnit independent = Work({At(256)}, {At(320)});
  struct Case {
    const char* what;
    OverlapUnit dependent;
  };
  for (const Case& c : {Case{"reads the result", Work({At(100, 4)}, {})},
                        Case{"writes the result", Work({}, {At(64)})},
                        Case{"writes the operand", Work({}, {At(60, 8)})}}) {
    EXPECT_THAT(Plan({Collective(), independent, c.dependent, independent}),
                ElementsAre(2, 0, 0, 0))
        << c.what;
  }
}

TEST(OverlapPlanTest, TheOperandMayBeReadMeanwhile) {
  EXPECT_THAT(
      Plan({Collective(), Work({At(0)}, {At(256)}), Work({At(64)}, {})}),
      ElementsAre(2, 0, 0));
}

TEST(OverlapPlanTest, OtherAllocationsAreOtherMemory) {
  EXPECT_THAT(Plan({Collective(), Work({}, {At(0, 128, /*allocation=*/1)}),
                    Work({At(64)}, {})}),
              ElementsAre(2, 0, 0));
}

TEST(OverlapPlanTest, IsAwaitedAtTheEndAtLatest) {
  EXPECT_THAT(Plan({Collective(), Work({}, {At(256)})}), ElementsAre(2, 0));
}

TEST(OverlapPlanTest, HasEndedBeforeWhatMeetsOthers) {
  EXPECT_THAT(
      Plan({Collective(), Work({}, {At(256)}), Meeting(), Work({}, {At(256)})}),
      ElementsAre(2, 0, 0, 0));
  EXPECT_THAT(Plan({Collective(), Meeting(), Work({}, {At(256)})}),
              ElementsAre(0, 0, 0));
}

TEST(OverlapPlanTest, HasEndedBeforeACollectiveThatRunsWhereItStands) {
  // The second has nothing beside it.
  EXPECT_THAT(Plan({Collective(), Work({}, {At(1024)}), Collective(512, 576),
                    Work({At(576)}, {})}),
              ElementsAre(2, 0, 0, 0));
}

TEST(OverlapPlanTest, SeveralMayBeUnderWay) {
  // As gradients are summed, and used in the same order.
  const std::vector<OverlapUnit> units = {
      Collective(0, 64),          Collective(128, 192),
      Collective(256, 320),       Work({At(64)}, {At(0)}),
      Work({At(192)}, {At(128)}), Work({At(320)}, {At(256)})};
  EXPECT_THAT(Plan(units), ElementsAre(0, 4, 5, 0, 0, 0));
}

TEST(OverlapPlanTest, ACollectiveThatDependsOnAnotherAwaitsIt) {
  EXPECT_THAT(Plan({Collective(0, 64), Work({}, {At(512)}), Collective(64, 128),
                    Work({}, {At(512)}), Work({At(128)}, {})}),
              ElementsAre(2, 0, 4, 0, 0));
}

TEST(OverlapPlanTest, SmallCollectivesAndLittleWorkAreLeftAlone) {
  const std::vector<OverlapUnit> units = {Collective(), Work({}, {At(256)}),
                                          Work({}, {At(256)})};
  EXPECT_THAT(Plan(units, {128, 128}), ElementsAre(3, 0, 0));
  EXPECT_THAT(Plan(units, {129, 128}), ElementsAre(0, 0, 0));
  EXPECT_THAT(Plan(units, {128, 129}), ElementsAre(0, 0, 0));
  EXPECT_THAT(Plan(units, OverlapPolicy::Never()), ElementsAre(0, 0, 0));
}

bool Conflict(const OverlapUnit& a, const OverlapUnit& b) {
  for (const BufferUse& x : a.uses) {
    for (const BufferUse& y : b.uses) {
      if ((x.access == BufferUse::Access::kWrite ||
           y.access == BufferUse::Access::kWrite) &&
          x.slice.Overlaps(y.slice)) {
        return true;
      }
    }
  }
  return false;
}

// No two that run at one time touch the same bytes, and none waits earlier than
// it must.
TEST(OverlapPlanTest, RandomSequencesAreSoundAndLate) {
  std::mt19937 random(7);
  auto slice = [&] {
    return At(64 * (random() % 12), 64 + 64 * (random() % 2));
  };
  int started = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<OverlapUnit> units(1 + random() % 10);
    for (OverlapUnit& unit : units) {
      const int kind = random() % 8;
      unit = Unit(kind < 3   ? Kind::kCollective
                  : kind < 7 ? Kind::kWork
                             : Kind::kMeeting,
                  {slice()}, {slice()});
    }
    const std::vector<int> ends = Plan(units);
    const int count = static_cast<int>(units.size());
    for (int i = 0; i < count; ++i) {
      if (ends[i] == 0) continue;
      ++started;
      ASSERT_EQ(units[i].kind, Kind::kCollective);
      ASSERT_GT(ends[i], i + 1);
      auto may_run_beside = [&](int k) {
        return !Conflict(units[i], units[k]) &&
               units[k].kind != Kind::kMeeting &&
               (units[k].kind == Kind::kWork || ends[k] > 0);
      };
      for (int k = i + 1; k < ends[i]; ++k) ASSERT_TRUE(may_run_beside(k));
      if (ends[i] < count) {
        ASSERT_FALSE(may_run_beside(ends[i]));
      }
    }
  }
  EXPECT_GT(started, 500);
}

}  // namespace
}  // namespace lockstep::internal
