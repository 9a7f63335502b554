#include "client/eager/reduction_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ReductionLayout Lay(const PartitionSpec& spec, std::vector<int64_t> dims,
                    bool keep_dims = false) {
  const NamedSharding operand =
      ShardingOf(MeshOf(WorldOf(1, 8), {4, 2}, {"x", "y"}), spec);
  return *LayReduction(operand, 2, dims, keep_dims);
}

TEST(ReductionLayoutTest, DimsAreAscending) {
  EXPECT_THAT(AscendingDims({-1, 0}, 3), ElementsAre(0, 2));
  EXPECT_THAT(AscendingDims({}, 3), IsEmpty());
}

TEST(ReductionLayoutTest, GroupsHoldEveryPartOfTheReducedDimensionsOnce) {
  EXPECT_THAT(Lay(PartitionSpec("x", "y"), {0}).groups,
              ElementsAre(ElementsAre(0, 2, 4, 6), ElementsAre(1, 3, 5, 7)));
  EXPECT_THAT(Lay(PartitionSpec("x", "y"), {1}).groups,
              ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3),
                          ElementsAre(4, 5), ElementsAre(6, 7)));
  EXPECT_THAT(Lay(PartitionSpec("x", "y"), {0, 1}).groups,
              ElementsAre(ElementsAre(0, 1, 2, 3, 4, 5, 6, 7)));
  // Copies combine among themselves.
  EXPECT_THAT(Lay(PartitionSpec("y"), {0}).groups,
              ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3),
                          ElementsAre(4, 5), ElementsAre(6, 7)));
  EXPECT_THAT(Lay(PartitionSpec("y"), {1}).groups, IsEmpty());
  EXPECT_THAT(Lay(PartitionSpec("x", "y"), {}).groups, IsEmpty());
}

TEST(ReductionLayoutTest, WhatStaysKeepsItsSharding) {
  EXPECT_EQ(Lay(PartitionSpec("x", "y"), {0}).result.spec(),
            PartitionSpec("y"));
  EXPECT_EQ(Lay(PartitionSpec("x", "y"), {0}, true).result.spec(),
            PartitionSpec(nullptr, "y"));
  EXPECT_EQ(Lay(PartitionSpec("x", "y"), {0, 1}).result.spec(),
            PartitionSpec());
}

}  // namespace
}  // namespace lockstep::internal
