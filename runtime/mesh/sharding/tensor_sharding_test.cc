// Y-3, Y-4 of docs/behaviour/shardings.md.
#include "runtime/mesh/sharding/tensor_sharding.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/sharding_text.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<int64_t> LocalShapeOf(absl::string_view mesh,
                                  absl::string_view dims,
                                  std::vector<int64_t> shape) {
  const TensorSharding sharding =
      *ParseSdySharding(absl::StrCat("<@mesh, ", dims, ">"));
  return *LocalShape(sharding, MeshOfText(mesh), shape);
}

TEST(TensorSharding, HasShapesOfShards) {
  EXPECT_THAT(LocalShapeOf(R"(<["x"=2, "y"=4, "z"=2]>)",
                           R"([{"x"}, {"z", "y"}])", {4, 8}),
              ElementsAre(2, 1));
  EXPECT_THAT(LocalShapeOf(R"(<["x"=2, "y"=8, "z"=2]>)",
                           R"([{"x"}, {"y":(2)2}])", {4, 8}),
              ElementsAre(2, 4));
}

TEST(TensorSharding, RoundsShapesOfShardsUp) {
  const std::string mesh = R"(<["x"=8]>)";
  EXPECT_THAT(LocalShapeOf(mesh, R"([{"x"}, {}])", {7, 3}), ElementsAre(1, 3));
  EXPECT_THAT(LocalShapeOf(mesh, R"([{"x"}])", {9}), ElementsAre(2));
  EXPECT_THAT(LocalShapeOf(mesh, R"([{"x"}])", {0}), ElementsAre(0));
  EXPECT_THAT(LocalShapeOf(mesh, R"([{"x"}])", {INT64_MAX}),
              ElementsAre(INT64_MAX / 8 + 1));
  EXPECT_THAT(LocalShapeOf(R"(<["x"=1000000000000000000]>)", R"([{"x"}])", {5}),
              ElementsAre(1));
}

TEST(TensorSharding, OnOneDeviceAllIsLocal) {
  EXPECT_THAT(LocalShapeOf("<[], device_ids=[3]>", "[]", {7, 5}),
              ElementsAre(7, 5));
}

TEST(TensorSharding, SubAxesSplitLikeTheAxesOfAFinerMesh) {
  const ShardingMesh coarse = MeshOfText(R"(<["devices"=8]>)");
  const ShardingMesh fine = MeshOfText(R"(<["x"=4, "y"=2]>)");
  const TensorSharding on_coarse =
      *ParseSdySharding(R"(<@m, [{"devices":(1)4}, {"devices":(4)2}]>)");
  const TensorSharding on_fine = *ParseSdySharding(R"(<@m, [{"x"}, {"y"}]>)");
  EXPECT_EQ(ShardCounts(on_coarse, coarse.abstract()),
            ShardCounts(on_fine, fine.abstract()));
  for (int64_t device = 0; device < 8; ++device) {
    EXPECT_EQ(on_coarse.dims[0].axes[0].IndexOf(device, coarse.abstract()),
              device / 2);
    EXPECT_EQ(on_coarse.dims[1].axes[0].IndexOf(device, coarse.abstract()),
              device % 2);
  }
}

TEST(TensorSharding, RefusesShapesOfAnotherRankOrNegative) {
  const TensorSharding sharding = *ParseSdySharding(R"(<@m, [{"x"}, {}]>)");
  const ShardingMesh mesh = MeshOfText(R"(<["x"=2]>)");
  EXPECT_THAT(InvalidArgument(LocalShape(sharding, mesh, {4}).status()),
              AllOf(HasSubstr("2 dimensions"), HasSubstr("has 1")));
  EXPECT_THAT(InvalidArgument(LocalShape(sharding, mesh, {4, -1}).status()),
              HasSubstr("[4, -1]"));
}

TEST(TensorSharding, ComesFromASpec) {
  const auto text = [](const PartitionSpec& spec, int64_t rank) {
    return ToSdyAttribute(*ShardingOfSpec("mesh", spec, rank));
  };
  EXPECT_EQ(text(PartitionSpec("data", nullptr), 2),
            R"(#sdy.sharding<@mesh, [{"data"}, {}]>)");
  EXPECT_EQ(text(PartitionSpec(nullptr, "model"), 2),
            R"(#sdy.sharding<@mesh, [{}, {"model"}]>)");
  EXPECT_EQ(text(PartitionSpec("data", kUnconstrained), 2),
            R"(#sdy.sharding<@mesh, [{"data"}, {?}]>)");
  EXPECT_EQ(text(PartitionSpec(AxisTuple{"model", "data"}, nullptr), 2),
            R"(#sdy.sharding<@mesh, [{"model", "data"}, {}]>)");
  EXPECT_EQ(text(PartitionSpec(), 2), "#sdy.sharding<@mesh, [{}, {}]>");
  EXPECT_EQ(text(PartitionSpec(), 0), "#sdy.sharding<@mesh, []>");
  EXPECT_THAT(
      InvalidArgument(ShardingOfSpec("m", PartitionSpec("a", "b"), 1).status()),
      AllOf(HasSubstr("2 entries"), HasSubstr("rank 1")));
}

TEST(TensorSharding, WithoutAxesIsOpenOrClosed) {
  EXPECT_EQ(ToSdyString(UnshardedOn("m", 2, /*is_closed=*/false)),
            "<@m, [{?}, {?}]>");
  EXPECT_EQ(ToSdyString(UnshardedOn("m", 1, /*is_closed=*/true)), "<@m, [{}]>");
}

TEST(TensorSharding, PrioritiesDefaultToZero) {
  const TensorSharding sharding = *ParseSdySharding(R"(<@m, [{?}, {"x"}p3]>)");
  EXPECT_EQ(sharding.dims[0].PriorityOrDefault(), 0);
  EXPECT_EQ(sharding.dims[1].PriorityOrDefault(), 3);
}

TEST(TensorSharding, FindsItsMesh) {
  MeshTable meshes;
  ASSERT_TRUE(meshes.Add("m", MeshOfText(R"(<["a"=8]>)")).ok());
  const auto mesh_of = [&](absl::string_view text) {
    const TensorSharding sharding = *ParseSdySharding(text);
    return (*MeshOfSharding(sharding, meshes))->ToString();
  };
  EXPECT_EQ(mesh_of("<@m, []>"), R"(<["a"=8]>)");
  EXPECT_EQ(mesh_of(R"(<mesh<["b"=2]>, []>)"), R"(<["b"=2]>)");
  const TensorSharding unknown = *ParseSdySharding("<@q, []>");
  EXPECT_THAT(InvalidArgument(MeshOfSharding(unknown, meshes).status()),
              HasSubstr("@q"));
}

}  // namespace
}  // namespace lockstep::internal
