// S-9 of docs/behaviour/partitioning.md, on one host: what several do is in
// tests/multihost/partitioning_test.cc.
#include "client/partitioning/shard_and_gather.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "client/host/recording_view.h"
#include "client/trees/tree_structs_testing.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class ShardAndGatherTest : public ::testing::Test {
 protected:
  ShardAndGatherTest()
      : view_(RecordingView::Create(4)),
        mesh_(MeshOf(view_->world(), {2, 2}, {"x", "y"})) {}

  ArrayOptions Here() const { return {.view = view_}; }

  const std::shared_ptr<RecordingView> view_;
  const Mesh mesh_;
};

TEST_F(ShardAndGatherTest, GatherUndoesShard_S9) {
  const std::vector<Layer<Array>> params = {
      {*Array::FromValues<float>({2, 2}, {1, 2, 3, 4}), Array({5.f, 6.f})},
      {Array({7.f, 8.f, 9.f}), {}}};
  const auto rules = std::vector<Layer<RuleOrSpec>>{
      {PartitionSpec("x", "y"), RuleOrSpec(PartitionSpec("y"))}, {nullptr, {}}};
  const auto fns = make_shard_and_gather_fns(params, rules, mesh_, Here());
  ASSERT_TRUE(fns.ok()) << fns.status();
  const auto sharded = apply_shard_and_gather_fns(fns->shard_fns, params);
  ASSERT_TRUE(sharded.ok()) << sharded.status();
  EXPECT_EQ((*sharded)[0].weight.sharding(),
            Sharding(ShardingOf(mesh_, PartitionSpec("x", "y"))));
  EXPECT_EQ((*sharded)[0].bias->sharding(),
            Sharding(ShardingOf(mesh_, PartitionSpec("y"))));
  EXPECT_FALSE((*sharded)[1].weight.sharding().is_on_devices());
  const auto gathered = apply_shard_and_gather_fns(fns->gather_fns, *sharded);
  ASSERT_TRUE(gathered.ok()) << gathered.status();
  EXPECT_FALSE((*gathered)[0].weight.sharding().is_on_devices());
  EXPECT_EQ(*(*gathered)[0].weight.ToString(), "[[1. 2.]\n [3. 4.]]");
  EXPECT_EQ(*(*gathered)[0].bias->ToString(), "[5. 6.]");
  EXPECT_EQ(*(*gathered)[1].weight.ToString(), "[7. 8. 9.]");
}

TEST_F(ShardAndGatherTest, ErrorsNameTheirLeaf_S9) {
  const auto tree =
      Tree<Array>::Map({{"a", Array({1, 2})}, {"b", Array({1, 2, 3})}});
  const auto fns =
      make_shard_and_gather_fns(tree, PartitionSpec("x"), mesh_, Here());
  ASSERT_TRUE(fns.ok()) << fns.status();
  const auto uneven = apply_shard_and_gather_fns(fns->shard_fns, tree);
  EXPECT_THAT(std::string(uneven.status().message()), StartsWith("b: "));
  const auto other = apply_shard_and_gather_fns(
      fns->shard_fns, Tree<Array>::Map({{"a", Array({1, 2})}}));
  EXPECT_EQ(other.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(other.status().message(), HasSubstr("'b'"));
  const auto unknown =
      make_shard_and_gather_fns(tree, PartitionSpec("z"), mesh_, Here());
  EXPECT_THAT(unknown.status().message(), HasSubstr("'z'"));
}

}  // namespace
}  // namespace lockstep::internal
