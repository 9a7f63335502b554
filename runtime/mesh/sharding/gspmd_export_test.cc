// Y-1, Y-2 of docs/behaviour/shardings.md.
#include "runtime/mesh/sharding/gspmd_export.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/mesh_testing.h"
#include "runtime/mesh/partition_spec.h"
#include "runtime/mesh/shard_layout.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/sharding_text.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Axes = std::vector<std::string>;

constexpr absl::string_view kMesh = R"(<["data"=4, "model"=2]>)";

std::string Text(absl::string_view mesh, const PartitionSpec& spec,
                 int64_t rank, const Axes& manual_axes = {}) {
  return *ToGspmdString(MeshOfText(mesh), spec, rank, manual_axes);
}

GspmdAnnotation Exported(absl::string_view mesh, absl::string_view sharding,
                         const Axes& manual_axes = {}) {
  return *ToGspmd(MeshOfText(mesh), *ParseSdySharding(sharding), manual_axes);
}

TEST(ToGspmdString, PrintsSpecsAsJaxDoes) {
  EXPECT_EQ(Text(kMesh, PartitionSpec("data", nullptr), 2),
            "{devices=[4,1,2]<=[8] last_tile_dim_replicate}");
  EXPECT_EQ(Text(kMesh, PartitionSpec(nullptr, "model"), 2),
            "{devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}");
  EXPECT_EQ(Text(kMesh, PartitionSpec("data", kUnconstrained), 2),
            "{devices=[4,1,2]<=[8] last_tile_dim_replicate}");
  EXPECT_EQ(Text(kMesh, PartitionSpec("data", "model"), 2),
            "{devices=[4,2]<=[8]}");
  EXPECT_EQ(Text(kMesh, PartitionSpec("model", "data"), 2),
            "{devices=[2,4]<=[4,2]T(1,0)}");
  EXPECT_EQ(Text(kMesh, PartitionSpec(AxisTuple{"data", "model"}, nullptr), 2),
            "{devices=[8,1]<=[8]}");
  EXPECT_EQ(Text(kMesh, PartitionSpec(AxisTuple{"model", "data"}, nullptr), 2),
            "{devices=[8,1]<=[4,2]T(1,0)}");
  EXPECT_EQ(Text(kMesh, PartitionSpec(), 2), "{replicated}");
}

TEST(ToGspmdString, ManualAxesAreASubgroup) {
  EXPECT_EQ(Text(kMesh, PartitionSpec(), 2, {"data", "model"}), "{manual}");
  EXPECT_EQ(Text(kMesh, PartitionSpec(), 2, {"data"}),
            "{devices=[1,1,4,2]<=[8] last_tile_dims={manual, replicated}}");
  EXPECT_EQ(
      Text(kMesh, PartitionSpec(), 2, {"model"}),
      "{devices=[1,1,2,4]<=[4,2]T(1,0) last_tile_dims={manual, replicated}}");
  EXPECT_EQ(Text(kMesh, PartitionSpec("data"), 1, {"model"}),
            "{devices=[4,2]<=[8] last_tile_dims={manual}}");
}

TEST(ToGspmdString, PrintsLargerMeshes) {
  const absl::string_view mesh = R"(<["replica"=2, "data"=4, "model"=2]>)";
  EXPECT_EQ(Text(mesh, PartitionSpec("data"), 1),
            "{devices=[4,4]<=[2,4,2]T(1,0,2) last_tile_dim_replicate}");
  EXPECT_EQ(Text(mesh, PartitionSpec("data", "model"), 2),
            "{devices=[4,2,2]<=[2,8]T(1,0) last_tile_dim_replicate}");
  EXPECT_EQ(Text(mesh, PartitionSpec(AxisTuple{"replica", "data"}, nullptr), 2),
            "{devices=[8,1,2]<=[16] last_tile_dim_replicate}");
  EXPECT_EQ(Text(R"(<["a"=2, "b"=2, "c"=2, "d"=2]>)",
                 PartitionSpec(nullptr, AxisTuple{"d", "b"}, "c"), 4),
            "{devices=[1,4,2,1,2]<=[2,4,2]T(2,1,0) last_tile_dim_replicate}");
}

TEST(ToGspmdString, AxesOfSizeOneAreDropped) {
  const absl::string_view mesh = R"(<["a"=4, "b"=1]>)";
  EXPECT_EQ(Text(mesh, PartitionSpec("a", nullptr), 2), "{devices=[4,1]<=[4]}");
  EXPECT_EQ(Text(mesh, PartitionSpec("b", nullptr), 2), "{replicated}");
  EXPECT_EQ(Text(mesh, PartitionSpec("a"), 1, {"b"}),
            "{devices=[4,1]<=[4] last_tile_dims={manual}}");
}

TEST(ToGspmd, SubAxesSplitTheDevices) {
  EXPECT_EQ(Exported(R"(<["x"=8, "y"=4]>)", R"(<@m, [{"y"}, {"x":(2)2}]>)")
                .sharding.ToString(),
            "{devices=[4,2,4]<=[2,2,2,4]T(3,1,0,2) last_tile_dim_replicate}");
}

TEST(ToGspmd, OpenDimensionsStandApart) {
  EXPECT_THAT(Exported(kMesh, R"(<@m, [{"data"}, {?}]>)").unspecified_dims,
              ElementsAre(1));
  EXPECT_THAT(Exported(kMesh, R"(<@m, [{"data", ?}, {}]>)").unspecified_dims,
              ElementsAre(0));
  EXPECT_THAT(Exported(kMesh, R"(<@m, [{"data"}, {}]>)").unspecified_dims,
              IsEmpty());
}

TEST(ToGspmd, UnreducedAxesAreASubgroup) {
  EXPECT_EQ(Exported(kMesh, R"(<@m, [{"data"}], unreduced={"model"}>)")
                .sharding.ToString(),
            "{devices=[4,2]<=[8] last_tile_dims={unreduced}}");
  EXPECT_EQ(Exported(kMesh, R"(<@m, [{}], unreduced={"data", "model"}>)")
                .sharding.ToString(),
            "{unreduced}");
  EXPECT_EQ(ToGspmd(MeshOfText(kMesh),
                    *ParseSdySharding(R"(<@m, [], unreduced=max{"data"}>)"))
                .status()
                .code(),
            absl::StatusCode::kUnimplemented);
}

TEST(ToGspmd, OtherMeshesHaveFormsOfTheirOwn) {
  EXPECT_EQ(Exported("<[], device_ids=[3]>", "<@m, []>").sharding.ToString(),
            "{maximal device=3}");
  EXPECT_EQ(Exported("<[]>", "<@m, [{}, {?}]>").sharding.ToString(),
            "{replicated}");
  EXPECT_EQ(Text(R"(<["a"=2, "b"=2], device_ids=[3, 1, 2, 0]>)",
                 PartitionSpec("b"), 1),
            "{devices=[2,2]3,2,1,0 last_tile_dim_replicate}");
}

TEST(ToGspmdString, NamesWhatIsWrong) {
  const auto error = [](const PartitionSpec& spec, int64_t rank,
                        const Axes& manual_axes) {
    return InvalidArgument(
        ToGspmdString(MeshOfText(kMesh), spec, rank, manual_axes).status());
  };
  EXPECT_THAT(error(PartitionSpec("q"), 1, {}), HasSubstr(R"("q")"));
  EXPECT_THAT(error(PartitionSpec("data", "data"), 2, {}),
              HasSubstr("used twice"));
  EXPECT_THAT(error(PartitionSpec("data", "model"), 1, {}),
              AllOf(HasSubstr("2 entries"), HasSubstr("rank 1")));
  EXPECT_THAT(error(PartitionSpec(), 1, {"q"}),
              AllOf(HasSubstr("manual"), HasSubstr(R"("q")")));
  EXPECT_THAT(InvalidArgument(ToGspmdString(MeshOfText(R"(<["a"=100000000]>)"),
                                            PartitionSpec("a"), 1)
                                  .status()),
              HasSubstr("more than 16777216 devices"));
}

// Whole axes on dimensions, in any order.
PartitionSpec RandomSpec(const ShardingMesh& mesh, int64_t rank,
                         RandomShardings& random) {
  std::vector<std::string> names = mesh.abstract().axis_names();
  random.Shuffle(names);
  std::vector<AxisTuple> tuples(rank);
  for (const std::string& name : names) {
    const int64_t dim = random.Below(rank + 1);
    if (dim < rank) tuples[dim].names.push_back(name);
  }
  return PartitionSpec::FromEntries({tuples.begin(), tuples.end()});
}

TEST(ToGspmdProperty, EachTileIsTheSliceOfItsDevice) {
  RandomShardings random(/*seed=*/7);
  for (int i = 0; i < 500; ++i) {
    const ShardingMesh mesh = random.Mesh();
    const int64_t rank = 1 + random.Below(3);
    const PartitionSpec spec = RandomSpec(mesh, rank, random);
    const int64_t count = mesh.device_count();
    std::vector<int32_t> ids;
    for (int64_t position = 0; position < count; ++position) {
      ids.push_back(static_cast<int32_t>(mesh.DeviceAt(position)));
    }
    const NamedSharding sharding = ShardingOf(
        MeshOf(WorldOf(1, static_cast<int32_t>(count)), ids,
               mesh.abstract().axis_sizes(), mesh.abstract().axis_names()),
        spec);
    const std::vector<int64_t> shape(rank, count);
    const ShardLayout layout = *ShardLayout::Create(sharding, shape);

    const std::string text = *ToGspmdString(mesh, spec, rank);
    SCOPED_TRACE(text);
    const GspmdSharding gspmd = *GspmdSharding::Parse(text);
    if (gspmd.kind() == GspmdSharding::Kind::kReplicated) {
      EXPECT_EQ(layout.shard_count(), 1);
      continue;
    }
    EXPECT_EQ(gspmd.tile_dims(), layout.shard_counts());
    const std::vector<int64_t> devices = gspmd.tiles().Devices();
    const int64_t subgroup = count / layout.shard_count();
    for (int64_t place = 0; place < count; ++place) {
      const int64_t position = *sharding.mesh().PositionOf(
          GlobalDeviceId(static_cast<int32_t>(devices[place])));
      EXPECT_EQ(layout.shard_numbers()[position], place / subgroup);
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
