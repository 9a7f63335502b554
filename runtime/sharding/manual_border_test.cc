// Y-16 of docs/behaviour/shardings.md: shardings inside and outside of a manual
// computation.
#include "runtime/sharding/manual_border.h"

#include "gtest/gtest.h"
#include "runtime/sharding/op_sharding_testing.h"

namespace lockstep::internal {
namespace {

TEST(ManualBorder, ManualAxesAreOutsideAndStandFirst) {
  const ManualBorder border(
      *ShardingOfText(R"([{"b", "a", ?}, {}], replicated={"c", "d"})"),
      {"b", "c"});
  EXPECT_EQ(TextOfSharding(border.Inside(*ShardingOfText(
                R"([{"b", "e", ?}, {}], replicated={"c", "d"})"))),
            R"([{"e", ?}, {}], replicated={"d"})");
  EXPECT_EQ(TextOfSharding(border.Outside(
                *ShardingOfText(R"([{"a", "e", ?}, {}], replicated={"d"})"))),
            R"([{"b", "a", "e", ?}, {}], replicated={"c", "d"})");
}

TEST(ManualBorder, OutsideIsTheInverseOfInside) {
  const TensorSharding outside = *ShardingOfText(
      R"([{"b", "a":(1)2}, {?}, {"c", ?}], replicated={"d"}, unreduced={"e"})");
  const ManualBorder border(outside, {"b", "c", "d"});
  EXPECT_EQ(border.Outside(border.Inside(outside)), outside);
}

}  // namespace
}  // namespace lockstep::internal
