// L-3 of docs/behaviour/arrays.md, T-5 and T-22 of partitioning.md.
#include "client/partitioning/sharding_constraint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "client/global_arrays/device_put.h"
#include "client/host/recording_view.h"
#include "client/partitioning/mesh_context.h"
#include "runtime/mesh/mesh_testing.h"
#include "runtime/mesh/partitioning/logical_axis_rules_context.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;

class ShardingConstraintTest : public ::testing::Test {
 protected:
  ShardingConstraintTest()
      : view_(RecordingView::Create(4)),
        mesh_(MeshOf(view_->world(), {2, 2}, {"x", "y"})),
        whole_(*device_put(Array({0, 1, 2, 3}),
                           ShardingOf(mesh_, PartitionSpec()), Here())) {}

  ArrayOptions Here() const { return {.view = view_}; }
  ConstraintOptions Constraint() const { return {.array = Here()}; }
  Sharding Over(PartitionSpec spec) const {
    return ShardingOf(mesh_, std::move(spec));
  }

  const std::shared_ptr<RecordingView> view_;
  const Mesh mesh_;
  const Array whole_;
};

TEST_F(ShardingConstraintTest, ThereIsNoneWithoutAMeshOfSeveralDevices_L3) {
  const PartitionSpec unknown("z");
  EXPECT_EQ(with_sharding_constraint(whole_, unknown, Constraint())->sharding(),
            Over(PartitionSpec()));
  const MeshContext one(MeshOf(view_->world(), {2}, {1}, {"x"}));
  EXPECT_EQ(with_sharding_constraint(whole_, unknown, Constraint())->sharding(),
            Over(PartitionSpec()));
}

TEST_F(ShardingConstraintTest, TheArrayIsLaidOutOverTheMeshInScope_L3) {
  const MeshContext context(mesh_);
  const auto rows =
      with_sharding_constraint(whole_, PartitionSpec("y"), Constraint());
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_EQ(rows->sharding(), Over(PartitionSpec("y")));
  EXPECT_EQ(*rows->ToString(), "[0 1 2 3]");
  // On processors too, unlike T-5.
  EXPECT_THAT(with_sharding_constraint(whole_, PartitionSpec("z"), Constraint())
                  .status()
                  .message(),
              HasSubstr("'z'"));
  const std::vector<Array> both{whole_, whole_};
  const auto tree = with_sharding_constraint(
      both, std::vector<std::optional<PartitionSpec>>{PartitionSpec("x"), {}},
      Constraint());
  ASSERT_TRUE(tree.ok()) << tree.status();
  EXPECT_EQ(tree->at(0).sharding(), Over(PartitionSpec("x")));
  EXPECT_EQ(tree->at(1).sharding(), Over(PartitionSpec()));
}

TEST_F(ShardingConstraintTest, CpusCanBeExcepted_T5) {
  const MeshContext context(mesh_);
  ConstraintOptions options = Constraint();
  options.except_on_cpus = true;
  EXPECT_EQ(
      with_sharding_constraint(whole_, PartitionSpec("x"), options)->sharding(),
      Over(PartitionSpec()));
}

TEST_F(ShardingConstraintTest, OtherDevicesAreNotExcepted_T5_T22) {
  const auto view = RecordingView::Create(4, "fake");
  const Mesh mesh = MeshOf(view->world(), {2, 2}, {"x", "y"});
  const ArrayOptions there = {.view = view};
  const auto whole =
      device_put(Array({0, 1, 2, 3}), ShardingOf(mesh, PartitionSpec()), there);
  ASSERT_TRUE(whole.ok()) << whole.status();
  const MeshContext context(mesh);
  const auto rows = with_sharding_constraint(
      *whole, PartitionSpec("x"), {.except_on_cpus = true, .array = there});
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_EQ(rows->sharding(), Sharding(ShardingOf(mesh, PartitionSpec("x"))));
  EXPECT_EQ(*rows->ToString(), "[0 1 2 3]");
  const LogicalAxisRulesContext rules(LogicalAxisRules{{"batch", "y"}});
  const auto logical =
      with_logical_constraint(*whole, LogicalAxisNames("batch"),
                              LogicalConstraintFallback::kRaiseError, there);
  ASSERT_TRUE(logical.ok()) << logical.status();
  EXPECT_EQ(logical->sharding(),
            Sharding(ShardingOf(mesh, PartitionSpec("y"))));
}

TEST_F(ShardingConstraintTest, LogicalNamesTakeTheRulesInScope_T22) {
  const LogicalAxisNames names("batch");
  // The test's devices are processors: nothing is constrained, but errors of
  // the names are.
  const MeshContext context(mesh_);
  EXPECT_TRUE(with_logical_constraint(
                  whole_, names, LogicalConstraintFallback::kRaiseError, Here())
                  .ok());
  const LogicalAxisRulesContext rules(LogicalAxisRules{{"embed", "x"}});
  EXPECT_EQ(with_logical_constraint(
                whole_, names, LogicalConstraintFallback::kRaiseError, Here())
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      with_logical_constraint(
          whole_, names, LogicalConstraintFallback::kAxisIsUnsharded, Here())
          ->sharding(),
      Over(PartitionSpec()));
}

}  // namespace
}  // namespace lockstep::internal
