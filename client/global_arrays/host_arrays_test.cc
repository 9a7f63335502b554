// T-27, L-1 and L-2 of docs/behaviour/arrays.md, on one host: what several do
// is in tests/multihost/global_arrays_test.cc.
#include "client/global_arrays/host_arrays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "client/global_arrays/device_put.h"
#include "client/host/recording_view.h"
#include "client/trees/tree_structs_testing.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class HostArraysTest : public ::testing::Test {
 protected:
  HostArraysTest()
      : view_(RecordingView::Create(4)),
        mesh_(MeshOf(view_->world(), {2, 2}, {"x", "y"})) {}

  ArrayOptions Here() const { return {.view = view_}; }
  Array Put(const Array& value, PartitionSpec spec) const {
    return *device_put(value, ShardingOf(mesh_, std::move(spec)), Here());
  }
  static Array Rows(int64_t rows) {
    std::vector<int32_t> values;
    for (int64_t i = 0; i < rows; ++i)
      values.push_back(static_cast<int32_t>(i));
    return Array(values);
  }

  const std::shared_ptr<RecordingView> view_;
  const Mesh mesh_;
};

TEST_F(HostArraysTest, TreesTakeSpecsByPrefix_T27) {
  const auto arrays = Tree<Array>::Map(
      {{"a", Rows(4)}, {"b", Tree<Array>::List({Rows(8), Rows(2)})}});
  const auto specs = Tree<PartitionSpec>::Map(
      {{"a", Tree<PartitionSpec>()}, {"b", PartitionSpec("x")}});
  const auto global =
      host_local_array_to_global_array(arrays, mesh_, specs, Here());
  ASSERT_TRUE(global.ok()) << global.status();
  EXPECT_TRUE((*global)["a"].leaf().is_fully_replicated());
  EXPECT_EQ((*global)["b"][0].leaf().sharding(),
            Sharding(ShardingOf(mesh_, PartitionSpec("x"))));
  EXPECT_EQ(*(*global)["b"][1].leaf().ToString(), "[0 1]");
  const auto back =
      global_array_to_host_local_array(*global, mesh_, specs, Here());
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*(*back)["b"][0].leaf().ToString(), "[0 1 2 3 4 5 6 7]");
}

TEST_F(HostArraysTest, ABatchOfOneHostKeepsItsShape_S10) {
  const auto whole = local_data_to_global_array(Rows(8), mesh_, {}, Here());
  ASSERT_TRUE(whole.ok()) << whole.status();
  EXPECT_EQ(*whole->ToString(), "[0 1 2 3 4 5 6 7]");
  EXPECT_EQ(whole->sharding(),
            Sharding(ShardingOf(mesh_, PartitionSpec(AxisTuple({"x", "y"})))));
  const auto struct_of_batches = local_data_to_global_array(
      Layer<Array>{Rows(4), Rows(8)}, mesh_,
      {.axes = std::vector<std::string>{"y"}}, Here());
  ASSERT_TRUE(struct_of_batches.ok()) << struct_of_batches.status();
  EXPECT_EQ(struct_of_batches->bias->sharding(),
            Sharding(ShardingOf(mesh_, PartitionSpec(AxisTuple({"y"})))));
  EXPECT_EQ(*struct_of_batches->weight.ToString(), "[0 1 2 3]");
}

TEST_F(HostArraysTest, StructsTakeStructsOfSpecs_T27) {
  const Layer<Array> layer{Rows(8), Rows(2)};
  const Layer<PartitionSpec> specs{PartitionSpec("x", nullptr), {}};
  const auto wrong =
      host_local_array_to_global_array(layer, mesh_, specs, Here());
  EXPECT_THAT(std::string(wrong.status().message()),
              ::testing::StartsWith("weight: "));
  const auto global = host_local_array_to_global_array(
      layer, mesh_, Layer<PartitionSpec>{PartitionSpec("x"), {}}, Here());
  ASSERT_TRUE(global.ok()) << global.status();
  EXPECT_EQ(global->weight.sharding(),
            Sharding(ShardingOf(mesh_, PartitionSpec("x"))));
  EXPECT_TRUE(global->bias->is_fully_replicated());
  const auto back =
      global_array_to_host_local_array(*global, mesh_, PartitionSpec(), Here());
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*back->bias->ToString(), "[0 1]");
}

TEST_F(HostArraysTest, StructsGoOverAllAxesAndComeBack_L1) {
  const Layer<Array> batch{Rows(8), {}};
  const auto global =
      host_to_global_array(batch, mesh_, DataPartition::kFull, Here());
  ASSERT_TRUE(global.ok()) << global.status();
  const auto back = global_to_host_array(*global);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*back->weight.ToString(), "[0 1 2 3 4 5 6 7]");
  EXPECT_FALSE(back->bias.has_value());
}

TEST_F(HostArraysTest, SpecsThatAreNoPrefixAreNamed_T27) {
  const auto arrays = Tree<Array>::Map(
      {{"a", Rows(4)}, {"b", Tree<Array>::List({Rows(8), Rows(2)})}});
  const auto list_of_one = Tree<PartitionSpec>::Map(
      {{"a", PartitionSpec()},
       {"b", Tree<PartitionSpec>::List({PartitionSpec("x")})}});
  const auto status =
      host_local_array_to_global_array(arrays, mesh_, list_of_one, Here())
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("'b'"), HasSubstr("a list of 1"),
                    HasSubstr("a list of 2")));
  const auto other_key = Tree<PartitionSpec>::Map(
      {{"a", PartitionSpec()}, {"c", PartitionSpec()}});
  EXPECT_THAT(std::string(host_local_array_to_global_array(arrays, mesh_,
                                                           other_key, Here())
                              .status()
                              .message()),
              AllOf(HasSubstr("{a, b}"), HasSubstr("{a, c}")));
}

TEST_F(HostArraysTest, ErrorsHaveThePathOfTheirLeaf_T27) {
  const auto arrays = Tree<Array>::Map({{"a", Rows(4)}, {"b", Rows(3)}});
  const auto status = host_local_array_to_global_array(
                          arrays, mesh_, PartitionSpec("x"), Here())
                          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              AllOf(::testing::StartsWith("b: "), HasSubstr("3")));
}

TEST_F(HostArraysTest, AnErrorOfAnArrayIsThatOfTheCall_T27_L1_S10) {
  const Array bad = Array::Failed(absl::DataLossError("no such rows"));
  for (const absl::Status& status :
       {host_local_array_to_global_array(bad, mesh_, PartitionSpec("x"), Here())
            .status(),
        host_to_global_array(bad, mesh_, DataPartition::kFull, Here()).status(),
        local_data_to_global_array(bad, mesh_, {}, Here()).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("no such rows"));
  }
}

TEST_F(HostArraysTest, RowsGoOverAllAxesAndComeBack_L1) {
  const auto global =
      host_to_global_array(Rows(8), mesh_, DataPartition::kFull, Here());
  ASSERT_TRUE(global.ok()) << global.status();
  EXPECT_EQ(global->sharding(),
            Sharding(ShardingOf(mesh_, PartitionSpec(AxisTuple{"x", "y"}))));
  EXPECT_EQ(*global->addressable_data(1)->ToString(), "[2 3]");
  EXPECT_EQ(*global_to_host_array(*global)->ToString(), "[0 1 2 3 4 5 6 7]");
  const auto same =
      host_to_global_array(Rows(3), mesh_, DataPartition::kReplicated, Here());
  ASSERT_TRUE(same.ok()) << same.status();
  // On the devices of the whole mesh.
  EXPECT_EQ(same->devices().size(), 4u);
  EXPECT_EQ(
      *global_to_host_array(*same, DataPartition::kReplicated)->ToString(),
      "[0 1 2]");
}

TEST_F(HostArraysTest, RowsThatDevicesDoNotDivideAreNamed_L1) {
  for (const auto& [array, shape] : std::vector<std::pair<Array, std::string>>{
           {*Array::FromValues<float>({5, 2}, std::vector<float>(10)),
            "(5, 2)"},
           {Rows(5), "(5,)"}}) {
    const absl::Status status =
        host_to_global_array(array, mesh_, DataPartition::kFull, Here())
            .status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr(shape), HasSubstr("4 devices")));
  }
}

TEST_F(HostArraysTest, WithoutADeviceInTheMeshThereIsNoPart_L1) {
  const Mesh elsewhere = MeshOf(WorldOf(2, 4), {6, 7}, {2}, {"x"});
  for (DataPartition partition :
       {DataPartition::kFull, DataPartition::kReplicated}) {
    const auto status =
        host_to_global_array(Rows(4), elsewhere, partition, Here()).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()), HasSubstr("host 0"));
  }
}

TEST_F(HostArraysTest, TreesOfOneBatchComeBack_L2) {
  const auto tree = Tree<Array>::Map(
      {{"a", Rows(8)},
       {"b",
        Tree<Array>::Map({{"c", *Array::FromValues<float>(
                                    {8, 3}, std::vector<float>(24, 1))}})}});
  const auto global =
      host_to_global_array(tree, mesh_, DataPartition::kFull, Here());
  ASSERT_TRUE(global.ok()) << global.status();
  const auto back = global_to_host_array(*global);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*(*back)["a"].leaf().ToString(), "[0 1 2 3 4 5 6 7]");
  EXPECT_EQ((*back)["b"]["c"].leaf().shape(), Shape(ElementType::kF32, {8, 3}));
  EXPECT_TRUE(global_to_host_array(Tree<Array>()).ok());
}

TEST_F(HostArraysTest, LeavesOfOtherBatchesAreNamed_L2) {
  const PartitionSpec rows(AxisTuple{"x", "y"});
  const auto tree = Tree<Array>::Map(
      {{"a",
        Put(*Array::FromValues<float>({16, 2}, std::vector<float>(32)), rows)},
       {"b", Tree<Array>::Map({{"c", Put(Rows(8), rows)}})}});
  const absl::Status status = global_to_host_array(tree).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(HasSubstr("b/c"), HasSubstr("'a'"), HasSubstr("16"), HasSubstr("8"),
            HasSubstr("a: (16, 2)"), HasSubstr("b/c: (8,)")));
}

TEST_F(HostArraysTest, PartsThatAreHereTwiceAreRefusedOrKept_L2) {
  const Array array = Put(*Array::FromValues<int32_t>({4, 1}, {0, 1, 2, 3}),
                          PartitionSpec("x"));
  const absl::Status status = global_to_host_array(array).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("devices 0 and 1"), HasSubstr("(0:2, ALL)")));
  const auto kept = global_to_host_array(array, DataPartition::kFull,
                                         {.keep_duplicate_shards = true});
  ASSERT_TRUE(kept.ok()) << kept.status();
  EXPECT_EQ(*kept->ToVector<int32_t>(),
            (std::vector<int32_t>{0, 1, 0, 1, 2, 3, 2, 3}));
}

TEST_F(HostArraysTest, OtherPartitionsOfDataAreUnimplemented_L1) {
  const auto other = static_cast<DataPartition>(7);
  for (const absl::Status& status :
       {host_to_global_array(Rows(4), mesh_, other, {.view = view_}).status(),
        global_to_host_array(Rows(4), other).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
    EXPECT_THAT(std::string(status.message()), HasSubstr("found 7"));
  }
}

TEST_F(HostArraysTest, ArraysInHostMemoryAreNoGlobalOnes_L2) {
  EXPECT_EQ(global_to_host_array(Rows(4)).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace lockstep::internal
