// B-6 of docs/behaviour/meshes.md.
#include "runtime/mesh/host_shapes.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(HostShapes, GoldenValuesOfTwoHosts_B6) {
  const Mesh square = MeshOf(WorldOf(2, 8), {4, 4}, {"data", "model"});
  const Mesh row = MeshOf(WorldOf(2, 8), {1, 16}, {"data", "model"});
  const auto global = [](const Mesh& mesh, PartitionSpec spec) {
    const NamedSharding sharding = ShardingOf(mesh, spec);
    const std::vector<int64_t> shape =
        *LocalToGlobalShape(sharding, HostId(0), {8, 32});
    EXPECT_THAT(*GlobalToLocalShape(sharding, HostId(1), shape),
                ElementsAre(8, 32));
    return shape;
  };
  EXPECT_THAT(global(square, PartitionSpec("data")), ElementsAre(16, 32));
  EXPECT_THAT(global(square, PartitionSpec("model")), ElementsAre(8, 32));
  EXPECT_THAT(global(square, PartitionSpec()), ElementsAre(8, 32));
  EXPECT_THAT(global(row, PartitionSpec("data", "model")), ElementsAre(8, 64));
}

TEST(HostShapes, OneAxisOverAllHostsConcatenates_B6) {
  for (int32_t hosts = 1; hosts <= 9; ++hosts) {
    const NamedSharding sharding = ShardingOf(
        MeshOf(WorldOf(hosts, 2), {2 * hosts}, {"x"}), PartitionSpec("x"));
    EXPECT_THAT(*LocalToGlobalShape(sharding, HostId(hosts - 1), {4}),
                ElementsAre(4 * hosts));
  }
}

TEST(HostShapes, RefuseAHostThatIsNoBox_B6) {
  const NamedSharding sharding = ShardingOf(
      MeshOf(WorldOf(2, 4), {0, 4, 1, 5}, {4}, {"x"}), PartitionSpec("x"));
  for (const absl::Status& status :
       {LocalToGlobalShape(sharding, HostId(0), {4}).status(),
        GlobalToLocalShape(sharding, HostId(0), {8}).status()}) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("host 0"), HasSubstr("[0, 3)"),
                      HasSubstr("device 4 of host 1")));
  }
}

TEST(HostShapes, RefuseShapesThatDoNotDivide_B6) {
  const NamedSharding sharding =
      ShardingOf(MeshOf(WorldOf(2, 4), {8}, {"x"}), PartitionSpec("x"));
  const absl::Status local =
      LocalToGlobalShape(sharding, HostId(0), {6}).status();
  EXPECT_EQ(local.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(local.message()),
              AllOf(HasSubstr("Mesh('x': 4)"), HasSubstr("size 6")));
  const absl::Status global =
      GlobalToLocalShape(sharding, HostId(0), {12}).status();
  EXPECT_EQ(global.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(global.message()),
              AllOf(HasSubstr("Mesh('x': 8)"), HasSubstr("size 12")));
}

// There and back, for every host, spec and split of 12 devices over hosts whose
// devices are boxes.
TEST(HostShapes, AreInverse_B6) {
  for (int32_t hosts : {1, 2, 4, 12}) {
    const World world = WorldOf(hosts, 12 / hosts);
    const Mesh mesh = MeshOf(world, {2, 2, 3}, {"a", "b", "c"});
    for (const PartitionSpec& spec :
         {PartitionSpec("a", "c"), PartitionSpec(AxisTuple{"c", "a"}, "b"),
          PartitionSpec(nullptr, AxisTuple{"a", "b", "c"})}) {
      const NamedSharding sharding = ShardingOf(mesh, spec);
      for (int32_t host = 0; host < hosts; ++host) {
        const std::vector<int64_t> global = {24, 36};
        const auto local = *GlobalToLocalShape(sharding, HostId(host), global);
        EXPECT_EQ(*LocalToGlobalShape(sharding, HostId(host), local), global);
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
