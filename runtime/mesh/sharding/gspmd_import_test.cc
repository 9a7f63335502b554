// Y-2 of docs/behaviour/shardings.md.
#include "runtime/mesh/sharding/gspmd_import.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/sharding/gspmd_export.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/sharding_text.h"
#include "runtime/mesh/sharding/sharding_verifier.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

GspmdValue Value(absl::string_view text, int64_t rank,
                 std::vector<int64_t> unspecified_dims = {}) {
  return {.sharding = *GspmdSharding::Parse(text),
          .rank = rank,
          .unspecified_dims = std::move(unspecified_dims)};
}

// The mesh, then the shardings.
std::vector<std::string> Imported(std::vector<GspmdValue> values,
                                  const GspmdImportOptions& options = {}) {
  const auto imported = ImportGspmd(values, options);
  if (!imported.ok()) return {std::string(imported.status().message())};
  std::vector<std::string> texts = {imported->mesh.ToString()};
  for (const TensorSharding& sharding : imported->shardings) {
    texts.push_back(ToSdyString(sharding));
    if (std::holds_alternative<std::string>(sharding.mesh)) {
      EXPECT_TRUE(VerifySharding(sharding, imported->mesh).ok());
    }
  }
  return texts;
}

TEST(ImportGspmd, MakesAxesOfTiles) {
  EXPECT_THAT(
      Imported({Value("{devices=[8,1]<=[8]}", 2)}),
      ElementsAre(R"(<["_axis_0"=8]>)", R"(<@mesh, [{"_axis_0"}, {}]>)"));
  EXPECT_THAT(
      Imported({Value("{devices=[6,35]<=[7,10,3]T(2,1,0)}", 2)}),
      ElementsAre(
          R"(<["_axis_0"=7, "_axis_1"=2, "_axis_2"=5, "_axis_3"=3]>)",
          R"(<@mesh, [{"_axis_3", "_axis_1"}, {"_axis_2", "_axis_0"}]>)"));
}

TEST(ImportGspmd, AllShardingsSplitTheMesh) {
  EXPECT_THAT(Imported({Value("{devices=[4,8]<=[8,4]T(1,0)}", 2),
                        Value("{devices=[2,16]<=[32]}", 2)}),
              ElementsAre(R"(<["_axis_0"=2, "_axis_1"=4, "_axis_2"=4]>)",
                          R"(<@mesh, [{"_axis_2"}, {"_axis_0", "_axis_1"}]>)",
                          R"(<@mesh, [{"_axis_0"}, {"_axis_1", "_axis_2"}]>)"));
}

TEST(ImportGspmd, ListsWithAnIotaFormNeedNoDeviceIds) {
  EXPECT_THAT(Imported({Value("{devices=[2,4]0,4,1,5,2,6,3,7}", 2)}),
              ElementsAre(R"(<["_axis_0"=2, "_axis_1"=2, "_axis_2"=2]>)",
                          R"(<@mesh, [{"_axis_1"}, {"_axis_2", "_axis_0"}]>)"));
}

TEST(ImportGspmd, OtherListsAreTheOrderOfTheMesh) {
  EXPECT_THAT(
      Imported({Value("{devices=[2,2]0,3,1,2}", 2),
                Value("{devices=[2,2]0,1,3,2}", 2)}),
      ElementsAre(R"(<["_axis_0"=2, "_axis_1"=2], device_ids=[0, 3, 1, 2]>)",
                  R"(<@mesh, [{"_axis_0"}, {"_axis_1"}]>)",
                  R"(<@mesh, [{"_axis_1"}, {"_axis_0"}]>)"));
  EXPECT_THAT(Imported({Value("{devices=[2,2]0,3,1,2}", 2),
                        Value("{devices=[2,2]<=[4]}", 2)}),
              ElementsAre(HasSubstr("no order of the devices")));
}

TEST(ImportGspmd, SubgroupsAreReplicatedUnreducedOrDropped) {
  EXPECT_THAT(
      Imported({Value("{devices=[4,1,2]<=[8] last_tile_dim_replicate}", 2)}),
      ElementsAre(R"(<["_axis_0"=4, "_axis_1"=2]>)",
                  R"(<@mesh, [{"_axis_0"}, {}], replicated={"_axis_1"}>)"));
  EXPECT_THAT(Imported({Value("{devices=[2,2,2]<=[8] last_tile_dims={manual, "
                              "unreduced}}",
                              1)}),
              ElementsAre(R"(<["_axis_0"=2, "_axis_1"=2, "_axis_2"=2]>)",
                          R"(<@mesh, [{"_axis_0"}], unreduced={"_axis_2"}>)"));
}

TEST(ImportGspmd, WordsStandForAllDimensions) {
  const auto imported = [](absl::string_view text) {
    return Imported({Value(text, 2), Value("{devices=[4]<=[4]}", 1)})[1];
  };
  EXPECT_EQ(imported("{replicated}"), "<@mesh, [{}, {}]>");
  EXPECT_EQ(imported("{manual}"), "<@mesh, [{}, {}]>");
  EXPECT_EQ(imported("{unknown}"), "<@mesh, [{?}, {?}]>");
  EXPECT_EQ(imported("{unreduced}"),
            R"(<@mesh, [{}, {}], unreduced={"_axis_0"}>)");
  EXPECT_EQ(imported("{maximal device=3}"), "<mesh<[], device_ids=[3]>, []>");
  EXPECT_THAT(Imported({Value("{replicated}", 1)},
                       {.mesh_name = "m", .replicated_is_closed = false}),
              ElementsAre("<[]>", "<@m, [{?}]>"));
}

TEST(ImportGspmd, UnspecifiedDimensionsAreOpen) {
  EXPECT_EQ(Imported({Value("{devices=[4,1]<=[4]}", 2, {1})})[1],
            R"(<@mesh, [{"_axis_0"}, {?}]>)");
  EXPECT_EQ(Imported({Value("{devices=[4,1]<=[4]}", 2, {0})})[1],
            R"(<@mesh, [{"_axis_0", ?}, {}]>)");
}

TEST(ImportGspmd, OpenDimensionsMayGetTheAxesOfReplicas) {
  EXPECT_EQ(Imported({Value("{devices=[4,1,2]<=[8] last_tile_dim_replicate}", 2,
                            {1})})[1],
            R"(<@mesh, [{"_axis_0"}, {?}]>)");
}

TEST(ImportGspmd, SaysWhichAxesAreManual) {
  const ImportedShardings imported = *ImportGspmd(
      {{Value("{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dims={manual}}", 2),
        Value("{manual}", 2), Value("{devices=[8]<=[8]}", 1)}});
  EXPECT_EQ(ToSdyString(imported.shardings[0]),
            R"(<@mesh, [{}, {"_axis_1"}]>)");
  EXPECT_THAT(imported.manual_axes[0], ElementsAre(AxisRef("_axis_0")));
  EXPECT_THAT(imported.manual_axes[1],
              ElementsAre(AxisRef("_axis_0"), AxisRef("_axis_1")));
  EXPECT_THAT(imported.manual_axes[2], ElementsAre());
}

TEST(ImportGspmd, NamesWhatIsWrong) {
  const auto error = [](std::vector<GspmdValue> values) {
    return InvalidArgument(ImportGspmd(values).status());
  };
  EXPECT_THAT(error({Value("{devices=[2,2]<=[4]}", 1)}),
              AllOf(HasSubstr("rank 2"), HasSubstr("rank 1")));
  EXPECT_THAT(
      error({Value("{devices=[2]<=[2]}", 1), Value("{devices=[4]<=[4]}", 1)}),
      AllOf(HasSubstr("4 devices"), HasSubstr("has 2")));
  EXPECT_THAT(error({Value("{replicated}", 1, {1})}),
              AllOf(HasSubstr("dimension 1"), HasSubstr("rank 1")));
  EXPECT_THAT(error({Value("{unreduced}", 1)}), HasSubstr("how many devices"));
}

TEST(ImportGspmd, SaysWhatNoMeshDoes) {
  const auto error = [](std::vector<GspmdValue> values) {
    const absl::Status status = ImportGspmd(values).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
    return std::string(status.message());
  };
  EXPECT_THAT(error({Value("{devices=[2,3]<=[2,3]T(1,0)}", 2)}),
              HasSubstr("{devices=[2,3]<=[2,3]T(1,0)}"));
  EXPECT_THAT(error({Value("{devices=[2,3]<=[6]}", 2),
                     Value("{devices=[3,2]<=[6]}", 2)}),
              AllOf(HasSubstr("into 2"), HasSubstr("into 3")));
  EXPECT_THAT(error({Value("{replicated shard_as 1}", 1)}),
              HasSubstr("shard_as"));
}

// The devices of each tile, ascending.
std::vector<std::vector<int64_t>> DevicesOfTiles(
    const GspmdSharding& sharding) {
  const std::vector<int64_t> devices = sharding.tiles().Devices();
  size_t subgroup = devices.size();
  for (const int64_t tiles : sharding.tile_dims()) subgroup /= tiles;
  std::vector<std::vector<int64_t>> devices_of_tiles;
  for (auto begin = devices.begin(); begin != devices.end();) {
    const auto end = begin + static_cast<std::ptrdiff_t>(subgroup);
    devices_of_tiles.emplace_back(begin, end);
    std::sort(devices_of_tiles.back().begin(), devices_of_tiles.back().end());
    begin = end;
  }
  return devices_of_tiles;
}

TEST(ImportGspmdProperty, BringsBackWhatIsExported) {
  RandomShardings random(/*seed=*/8);
  int64_t split = 0;
  for (int i = 0; i < 1000; ++i) {
    const ShardingMesh mesh = random.Mesh();
    const int64_t rank = 1 + random.Below(3);
    const TensorSharding sharding = random.Sharding(mesh, rank);
    const GspmdAnnotation exported = *ToGspmd(mesh, sharding);
    SCOPED_TRACE(exported.sharding.ToString());
    EXPECT_EQ(*GspmdSharding::Parse(exported.sharding.ToString()),
              exported.sharding);
    if (exported.sharding.kind() != GspmdSharding::Kind::kTiled) continue;
    const ImportedShardings imported =
        *ImportGspmd({{exported.sharding, rank, exported.unspecified_dims}});
    const GspmdAnnotation again =
        *ToGspmd(imported.mesh, imported.shardings[0]);
    EXPECT_EQ(again.unspecified_dims, exported.unspecified_dims);
    if (DevicesOfTiles(exported.sharding).size() == 1) continue;
    ++split;
    EXPECT_EQ(again.sharding.tile_dims(), exported.sharding.tile_dims());
    EXPECT_EQ(DevicesOfTiles(again.sharding),
              DevicesOfTiles(exported.sharding));
  }
  EXPECT_GT(split, 100);
}

}  // namespace
}  // namespace lockstep::internal
