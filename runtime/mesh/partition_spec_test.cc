#include "runtime/mesh/partition_spec.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;

TEST(PartitionSpec, IsPrintedAsInJax) {
  EXPECT_EQ(PartitionSpec("data", nullptr).ToString(),
            "PartitionSpec('data', None)");
  EXPECT_EQ(PartitionSpec(AxisTuple{"replica", "data"}).ToString(),
            "PartitionSpec(('replica', 'data'),)");
  EXPECT_EQ(PartitionSpec(AxisTuple{"data"}).ToString(),
            "PartitionSpec(('data',),)");
  EXPECT_EQ(PartitionSpec(AxisTuple{}).ToString(), "PartitionSpec((),)");
  EXPECT_EQ(PartitionSpec().ToString(), "PartitionSpec()");
  EXPECT_EQ(PartitionSpec("data").ToString(), "PartitionSpec('data',)");
  EXPECT_EQ(PartitionSpec(kUnconstrained, "x").ToString(),
            "PartitionSpec(UNCONSTRAINED, 'x')");
  EXPECT_EQ(PartitionSpec("a'b", "a\\", "'\"").ToString(),
            R"(PartitionSpec("a'b", 'a\\', '\'"'))");
}

TEST(PartitionSpec, HasAnEntryForEveryDimension) {
  const PartitionSpec spec("data", kUnconstrained, AxisTuple{"x", "y"});
  EXPECT_EQ(spec.size(), 3);
  EXPECT_TRUE(spec.entry(0).is_axis());
  EXPECT_TRUE(spec.entry(1).is_unconstrained());
  EXPECT_TRUE(spec.entry(2).is_tuple());
  EXPECT_THAT(spec.entry(2).axes(), ElementsAre("x", "y"));
  EXPECT_TRUE(spec.entry(3).is_null());
  EXPECT_THAT(spec.axes(), ElementsAre("data", "x", "y"));
}

TEST(PartitionSpec, IsCopiedAndMadeOfEntries) {
  const PartitionSpec spec("data", nullptr);
  PartitionSpec copy(spec);
  EXPECT_EQ(copy, spec);
  EXPECT_EQ(PartitionSpec::FromEntries({SpecEntry("data"), SpecEntry()}), spec);
  EXPECT_NE(PartitionSpec("data"), spec);
}

TEST(PartitionSpec, SameAxesLooksThroughTheirForms) {
  EXPECT_TRUE(SameAxes(PartitionSpec("a", nullptr), PartitionSpec("a")));
  EXPECT_TRUE(SameAxes(PartitionSpec(AxisTuple{"a"}), PartitionSpec("a")));
  EXPECT_TRUE(SameAxes(PartitionSpec(AxisTuple{}), PartitionSpec()));
  EXPECT_FALSE(SameAxes(PartitionSpec(kUnconstrained), PartitionSpec()));
  EXPECT_FALSE(SameAxes(PartitionSpec(AxisTuple{"a", "b"}),
                        PartitionSpec(AxisTuple{"b", "a"})));
}

}  // namespace
}  // namespace lockstep::internal
