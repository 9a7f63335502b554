// B-1 of docs/behaviour/meshes.md, and the errors of specs.
#include "runtime/mesh/named_sharding.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Mesh DataModelMesh() {
  return MeshOf(WorldOf(1, 8), {4, 2}, {"data", "model"});
}

std::string InvalidArgument(const absl::Status& status) {
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  return std::string(status.message());
}

TEST(NamedSharding, IsPrintedAsInJax) {
  EXPECT_EQ(ShardingOf(DataModelMesh(), PartitionSpec("data")).ToString(),
            "NamedSharding(mesh=Mesh('data': 4, 'model': 2), "
            "spec=PartitionSpec('data',))");
  EXPECT_EQ(::testing::PrintToString(PartitionSpec(AxisTuple{"a", "b"})),
            "PartitionSpec(('a', 'b'),)");
  EXPECT_EQ(::testing::PrintToString(SpecEntry(kUnconstrained)),
            "UNCONSTRAINED");
  const NamedSharding sharding = ShardingOf(DataModelMesh(), PartitionSpec());
  EXPECT_EQ(::testing::PrintToString(sharding), sharding.ToString());
}

TEST(NamedSharding, IsInAMemoryThatItsDevicesHave_M1) {
  const NamedSharding sharding =
      ShardingOf(DataModelMesh(), PartitionSpec("data"));
  EXPECT_EQ(sharding.memory_kind(), "device");
  const auto pinned = sharding.with_memory_kind("pinned_host");
  ASSERT_TRUE(pinned.ok()) << pinned.status();
  EXPECT_EQ(pinned->memory_kind(), "pinned_host");
  EXPECT_EQ(pinned->ToString(),
            "NamedSharding(mesh=Mesh('data': 4, 'model': 2), "
            "spec=PartitionSpec('data',), memory_kind=pinned_host)");
  EXPECT_NE(*pinned, sharding);
  EXPECT_EQ(*pinned->with_memory_kind("device"), sharding);
  EXPECT_EQ(*NamedSharding::Create(sharding.mesh(), sharding.spec(), "device"),
            sharding);
}

TEST(NamedSharding, RefusesAMemoryThatADeviceLacks_M1) {
  const NamedSharding sharding = ShardingOf(DataModelMesh(), PartitionSpec());
  EXPECT_THAT(InvalidArgument(sharding.with_memory_kind("vram").status()),
              AllOf(HasSubstr("CpuDevice(id=0) (cpu)"), HasSubstr("'vram'"),
                    HasSubstr("'device', 'pinned_host', 'unpinned_host'")));
  // One of two platforms: the device that lacks it.
  std::vector<Device> devices = WorldOf(1, 2).devices();
  devices[1].platform = "cuda";
  devices[1].kind = "NVIDIA H200";
  const Mesh mixed = MeshOf(World(devices), {2}, {"x"});
  EXPECT_TRUE(
      NamedSharding::Create(mixed, PartitionSpec(), "pinned_host").ok());
  EXPECT_THAT(
      InvalidArgument(
          NamedSharding::Create(mixed, PartitionSpec(), "unpinned_host")
              .status()),
      AllOf(HasSubstr("CudaDevice(id=1) (NVIDIA H200)"),
            HasSubstr("'device', 'pinned_host', found 'unpinned_host'")));
}

TEST(NamedSharding, ShardShapeDividesByTheAxesOfEachDimension_B1) {
  const auto shard_shape = [](PartitionSpec spec, std::vector<int64_t> shape) {
    return *ShardingOf(DataModelMesh(), std::move(spec)).ShardShape(shape);
  };
  EXPECT_THAT(shard_shape(PartitionSpec("data", nullptr), {16, 128}),
              ElementsAre(4, 128));
  EXPECT_THAT(shard_shape(PartitionSpec(nullptr, "model"), {128, 256}),
              ElementsAre(128, 128));
  EXPECT_THAT(shard_shape(PartitionSpec(AxisTuple{"model", "data"}), {16}),
              ElementsAre(2));
  EXPECT_THAT(shard_shape(PartitionSpec("model", "data"), {16, 16}),
              ElementsAre(8, 4));
  EXPECT_THAT(shard_shape(PartitionSpec("model"), {16, 3, 5}),
              ElementsAre(8, 3, 5));
  EXPECT_THAT(shard_shape(PartitionSpec(kUnconstrained), {7}), ElementsAre(7));
  EXPECT_THAT(shard_shape(PartitionSpec("data"), {0}), ElementsAre(0));
  EXPECT_THAT(shard_shape(PartitionSpec(), {}), IsEmpty());
}

TEST(NamedSharding, RefusesAnAxisThatIsNotThereOrUsedTwice) {
  EXPECT_THAT(InvalidArgument(NamedSharding::Create(DataModelMesh(),
                                                    PartitionSpec("data", "q"))
                                  .status()),
              AllOf(HasSubstr("'q'"), HasSubstr("PartitionSpec('data', 'q')"),
                    HasSubstr("('data', 'model')")));
  for (const PartitionSpec& spec :
       {PartitionSpec("data", "data"),
        PartitionSpec("data", AxisTuple{"model", "data"}),
        PartitionSpec(AxisTuple{"data", "data"})}) {
    EXPECT_THAT(
        InvalidArgument(NamedSharding::Create(DataModelMesh(), spec).status()),
        AllOf(HasSubstr("'data' is used twice"), HasSubstr(spec.ToString())));
  }
}

TEST(NamedSharding, RefusesASpecLongerThanTheRank) {
  const NamedSharding sharding =
      ShardingOf(DataModelMesh(), PartitionSpec("data", nullptr));
  EXPECT_THAT(
      InvalidArgument(sharding.ShardShape({16}).status()),
      AllOf(HasSubstr(sharding.ToString()), HasSubstr("2 entries"),
            HasSubstr("rank 1"), testing::Not(HasSubstr("PartitionSpec()"))));
  EXPECT_THAT(InvalidArgument(sharding.ShardShape({}).status()),
              AllOf(HasSubstr("rank 0"), HasSubstr("PartitionSpec()")));
}

TEST(NamedSharding, RefusesADimensionThatDoesNotDivide) {
  const NamedSharding sharding =
      ShardingOf(DataModelMesh(), PartitionSpec(nullptr, "data"));
  EXPECT_THAT(InvalidArgument(sharding.ShardShape({3, 6}).status()),
              AllOf(HasSubstr(sharding.ToString()), HasSubstr("dimension 1"),
                    HasSubstr("4 shards"), HasSubstr("size 6"),
                    HasSubstr("(3, 6)"), HasSubstr("[1, 4]")));
  EXPECT_THAT(InvalidArgument(sharding.ShardShape({3, -4}).status()),
              AllOf(HasSubstr("dimension 1"), HasSubstr("(3, -4)")));
}

}  // namespace
}  // namespace lockstep::internal
