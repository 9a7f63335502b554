// L-4 of docs/behaviour/meshes.md.
#include "runtime/mesh/shard_boundaries.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<RowRange> AllRanges(int64_t num_shards, int64_t size,
                                bool drop_remainder) {
  std::vector<RowRange> ranges;
  for (int64_t id = 0; id < num_shards; ++id) {
    ranges.push_back(*ShardBoundaries(num_shards, id, size, drop_remainder));
  }
  return ranges;
}

TEST(ShardBoundaries, GoldenValues_L4) {
  EXPECT_THAT(AllRanges(3, 10, true),
              ElementsAre(RowRange{0, 3}, RowRange{3, 6}, RowRange{6, 9}));
  EXPECT_THAT(AllRanges(3, 10, false),
              ElementsAre(RowRange{0, 4}, RowRange{4, 7}, RowRange{7, 10}));
  EXPECT_THAT(AllRanges(5, 2, false),
              ElementsAre(RowRange{0, 1}, RowRange{1, 2}, RowRange{2, 2},
                          RowRange{2, 2}, RowRange{2, 2}));
}

TEST(ShardBoundaries, FollowEachOther_L4) {
  for (int64_t num_shards = 1; num_shards <= 9; ++num_shards) {
    for (int64_t size = 0; size <= 20; ++size) {
      for (bool drop_remainder : {false, true}) {
        if (drop_remainder && size < num_shards) continue;
        int64_t next = 0;
        for (const RowRange& range :
             AllRanges(num_shards, size, drop_remainder)) {
          EXPECT_EQ(range.start, next);
          next = range.stop;
        }
        EXPECT_EQ(next, drop_remainder ? size / num_shards * num_shards : size);
      }
    }
  }
}

TEST(ShardBoundaries, RefuseShardsAndSizesThatAreNone_L4) {
  const auto message = [](const absl::StatusOr<RowRange>& range) {
    EXPECT_EQ(range.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(range.status().message());
  };
  EXPECT_THAT(message(ShardBoundaries(3, 3, 10, false)),
              HasSubstr("shard 3 is not one of 3"));
  EXPECT_THAT(message(ShardBoundaries(3, -1, 10, false)), HasSubstr("-1"));
  EXPECT_THAT(message(ShardBoundaries(0, 0, 10, false)), HasSubstr("0 shards"));
  EXPECT_THAT(message(ShardBoundaries(5, 0, 2, true)),
              AllOf(HasSubstr("2 rows"), HasSubstr("5 shards")));
  EXPECT_THAT(message(ShardBoundaries(5, 0, -2, false)), HasSubstr("-2 rows"));
}

}  // namespace
}  // namespace lockstep::internal
