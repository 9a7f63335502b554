// That arrays arrive is in device_put_test.cc; this is by which collectives.
#include "client/global_arrays/reshard_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string TextOf(const NamedSharding& from, const NamedSharding& to) {
  const std::vector<int64_t> dims = {8, 16};
  const ReshardPlan plan = *ReshardPlan::Create(from, to, dims);
  const Shape old_shard(ElementType::kF32, plan.source_shape());
  const auto traced = TraceReshard(plan, old_shard);
  return traced.ok() ? traced->text() : traced.status().ToString();
}

TEST(ReshardProgramTest, OneDimensionForAnotherIsOneAllToAll) {
  const Mesh mesh = MeshOf(WorldOf(2, 4), {2, 4}, {"x", "y"});
  const AxisTuple all = {"x", "y"};
  const auto rows = ShardingOf(mesh, PartitionSpec(all));
  const auto columns = ShardingOf(mesh, PartitionSpec(nullptr, all));
  for (const std::string& text :
       {TextOf(rows, columns), TextOf(columns, rows)}) {
    EXPECT_THAT(text, AllOf(HasSubstr("stablehlo.all_to_all"),
                            Not(HasSubstr("collective_permute"))));
  }
}

// Behind what 32 bits count.
TEST(ReshardProgramTest, LargeDimensionsHaveLargeStarts) {
  const Mesh mesh = MeshOf(WorldOf(1, 4), {4}, {"x"});
  const std::vector<int64_t> dims = {int64_t{3} << 30};
  const ReshardPlan plan =
      *ReshardPlan::Create(ShardingOf(mesh, PartitionSpec()),
                           ShardingOf(mesh, PartitionSpec("x")), dims);
  const auto traced = TraceReshard(plan, Shape(ElementType::kU8, dims));
  ASSERT_TRUE(traced.ok()) << traced.status();
  EXPECT_THAT(traced->text(), HasSubstr("2415919104"));
}

// In another order of devices, or over a part of them, pieces do not go to the
// ranks of their numbers.
TEST(ReshardProgramTest, OtherExchangesArePermutations) {
  const Mesh mesh = MeshOf(WorldOf(2, 4), {2, 4}, {"x", "y"});
  const auto rows = ShardingOf(mesh, PartitionSpec(AxisTuple{"x", "y"}));
  for (const PartitionSpec& spec : {PartitionSpec(nullptr, AxisTuple{"y", "x"}),
                                    PartitionSpec("x", "y"), PartitionSpec()}) {
    EXPECT_THAT(TextOf(rows, ShardingOf(mesh, spec)),
                AllOf(HasSubstr("collective_permute"),
                      Not(HasSubstr("stablehlo.all_to_all"))))
        << spec.ToString();
  }
}

}  // namespace
}  // namespace lockstep::internal
