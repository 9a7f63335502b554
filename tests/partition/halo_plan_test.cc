// The pieces of a plan are the windows that devices read.
#include "runtime/passes/partition/halo_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"

namespace lockstep::internal {
namespace {

constexpr int64_t kUnknown = -1;

// What the piece gives to the device with shard i: elements by their numbers in
// the whole dim.
std::vector<int64_t> ReceivedBy(int64_t i, const HaloPiece& piece,
                                int64_t shard_size) {
  std::vector<int64_t> elements(static_cast<size_t>(piece.length), kUnknown);
  const int64_t source = piece.IsOwn() ? i : piece.sources[i];
  if (source == -1) return elements;
  for (int64_t k = 0; k < piece.length; ++k) {
    const int64_t place = piece.starts[source] + k;
    EXPECT_GE(place, 0);
    EXPECT_LT(place, shard_size);
    elements[k] = source * shard_size + place;
  }
  return elements;
}

// The window of the device with shard i.
std::vector<int64_t> WindowOf(int64_t i, const HaloPlan& plan, int64_t length,
                              int64_t shard_size) {
  std::vector<int64_t> window;
  if (!plan.is_tiled) window.assign(static_cast<size_t>(length), kUnknown);
  for (const HaloPiece& piece : plan.pieces) {
    const std::vector<int64_t> part = ReceivedBy(i, piece, shard_size);
    if (plan.is_tiled) {
      EXPECT_EQ(piece.places[i], static_cast<int64_t>(window.size()));
      window.insert(window.end(), part.begin(), part.end());
      continue;
    }
    for (int64_t k = 0; k < piece.length; ++k) {
      const int64_t place = piece.places[i] + k;
      if (0 <= place && place < length) window[place] = part[k];
    }
  }
  return window;
}

void ExpectSendsOnce(const HaloPlan& plan) {
  for (const HaloPiece& piece : plan.pieces) {
    std::set<int64_t> sources;
    for (const int64_t source : piece.sources) {
      if (source != -1) {
        EXPECT_TRUE(sources.insert(source).second);
      }
    }
  }
}

void ExpectPlanOf(const HaloWindow& window, int64_t shards) {
  const int64_t shard_size = (window.size + shards - 1) / shards;
  const std::optional<HaloPlan> plan = PlanHalo(window, shard_size, shards);
  if (!plan.has_value()) return;
  ExpectSendsOnce(*plan);
  for (int64_t i = 0; i < shards; ++i) {
    const std::vector<int64_t> found =
        WindowOf(i, *plan, window.length, shard_size);
    ASSERT_EQ(static_cast<int64_t>(found.size()), window.length);
    for (int64_t k = 0; k < window.length; ++k) {
      const int64_t element = window.StartOf(i) + k;
      const bool is_used =
          std::max<int64_t>(0, window.used_begin) <= element &&
          element < std::min({window.size, window.used_end, window.EndOf(i)});
      if (is_used) {
        EXPECT_EQ(found[k], element) << "shard " << i;
      }
    }
  }
}

TEST(HaloPlanTest, PiecesAreTheWindows) {
  for (int64_t shards = 1; shards <= 5; ++shards) {
    for (int64_t size = 1; size <= 11; ++size) {
      for (int64_t step = -4; step <= 4; ++step) {
        for (int64_t first = -5; first <= 12; ++first) {
          for (int64_t length = 1; length <= 8; ++length) {
            SCOPED_TRACE(absl::StrCat(shards, " shards of ", size, ", step ",
                                      step, " first ", first, " length ",
                                      length));
            HaloWindow window = {.step = step,
                                 .first = first,
                                 .length = length,
                                 .size = size,
                                 .used_begin = -100,
                                 .used_end = 100};
            ExpectPlanOf(window, shards);
            window.used_begin = 2;
            window.used_end = 7;
            ExpectPlanOf(window, shards);
          }
        }
      }
    }
  }
}

TEST(HaloPlanTest, PiecesAreWindowsThatBeginBetweenElements) {
  for (int64_t shards = 1; shards <= 5; ++shards) {
    for (int64_t size = 1; size <= 11; ++size) {
      for (int64_t step = 1; step <= 7; ++step) {
        for (int64_t first = -4; first <= 4; ++first) {
          for (int64_t divisor = 1; divisor <= 3; ++divisor) {
            SCOPED_TRACE(absl::StrCat(shards, " shards of ", size, ", step ",
                                      step, " first ", first, " divisor ",
                                      divisor));
            ExpectPlanOf({.step = step,
                          .first = first,
                          .divisor = divisor,
                          .length = 5,
                          .size = size,
                          .used_begin = -100,
                          .used_end = 100},
                         shards);
          }
        }
      }
    }
  }
}

TEST(HaloPlanTest, WindowsThatBeginBetweenElementsHaveStartsAndRemainders) {
  const HaloWindow window = {.step = 5, .first = -4, .divisor = 3, .length = 4};
  EXPECT_EQ(window.StartOf(0), -2);
  EXPECT_EQ(window.RemainderOf(0), 2);
  EXPECT_EQ(window.StartOf(1), 0);
  EXPECT_EQ(window.RemainderOf(1), 1);
  EXPECT_EQ(window.StartOf(2), 2);
  EXPECT_EQ(window.RemainderOf(2), 0);
}

TEST(HaloPlanTest, WhatNobodyLooksAtIsNotSent) {
  HaloWindow window = {
      .step = 3, .divisor = 2, .length = 3, .size = 7, .used_end = 7};
  EXPECT_EQ(PlanHalo(window, 2, 4)->SentLength(), 3);
  window.last = 2;
  window.reach = 1;
  EXPECT_EQ(window.EndOf(0), 2);
  EXPECT_EQ(window.EndOf(1), 3);
  EXPECT_EQ(PlanHalo(window, 2, 4)->SentLength(), 2);
  ExpectPlanOf(window, 4);
}

TEST(HaloPlanTest, RoundsOfUnequalBordersAreByDistance) {
  // Up to 4 elements of the shard before, and one of the next.
  const HaloWindow window = {.step = 33,
                             .first = -5,
                             .divisor = 2,
                             .length = 21,
                             .size = 68,
                             .used_begin = 0,
                             .used_end = 68};
  const std::optional<HaloPlan> plan = PlanHalo(window, 17, 4);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->SentLength(), 5);
}

TEST(HaloPlanTest, NeighboursSendOnlyBorders) {
  const HaloWindow window = {.step = 8,
                             .first = -1,
                             .length = 10,
                             .size = 32,
                             .used_begin = -1,
                             .used_end = 33};
  const std::optional<HaloPlan> plan = PlanHalo(window, 8, 4);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->SentLength(), 2);
  EXPECT_TRUE(window.ReachesOutside(4));
}

TEST(HaloPlanTest, WindowsOverManyShardsHaveNone) {
  const HaloWindow window = {
      .step = 1, .length = 32, .size = 32, .used_end = 32};
  EXPECT_FALSE(PlanHalo(window, 1, 32).has_value());
}

TEST(HaloPlanTest, RotationsBeginLater) {
  for (int64_t shards = 1; shards <= 4; ++shards) {
    for (int64_t shard_size = 1; shard_size <= 4; ++shard_size) {
      const int64_t size = shards * shard_size;
      for (int64_t amount = 0; amount < size; ++amount) {
        const HaloPlan plan = PlanRotation(amount, shard_size, shards);
        ExpectSendsOnce(plan);
        EXPECT_LE(plan.SentLength(), shard_size);
        for (int64_t i = 0; i < shards; ++i) {
          const std::vector<int64_t> found =
              WindowOf(i, plan, shard_size, shard_size);
          for (int64_t k = 0; k < shard_size; ++k) {
            EXPECT_EQ(found[k], (i * shard_size + k + amount) % size);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
