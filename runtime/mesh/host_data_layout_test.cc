// M-7 of docs/behaviour/multihost.md, T-27 and L-1 of docs/behaviour/arrays.md.
#include "runtime/mesh/host_data_layout.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Sizes = std::vector<int64_t>;
using Starts = std::vector<std::vector<int64_t>>;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

std::string Message(const absl::StatusOr<HostDataLayout>& layout) {
  return std::string(layout.status().message());
}

TEST(LayOutHostData, GlobalShapeFollowsFromTheNumberOfHosts_M7) {
  const struct {
    int32_t hosts;
    Sizes global;
  } cases[] = {{1, {4, 4}}, {2, {8, 4}}, {4, {16, 4}}, {8, {16, 8}}};
  for (const auto& c : cases) {
    const NamedSharding sharding = ShardingOf(
        MeshOf(WorldOf(c.hosts, 8 / c.hosts), {2, 2, 2}, {"a", "b", "c"}),
        PartitionSpec(AxisTuple{"a", "b"}, "c"));
    for (int32_t host = 0; host < c.hosts; ++host) {
      const auto layout =
          LayOutHostData(sharding, HostId(host), {4, 4}, std::nullopt);
      ASSERT_TRUE(layout.ok()) << layout.status();
      EXPECT_EQ(layout->global_shape, c.global) << c.hosts;
    }
  }
}

// A host with rows 8:12 and 24:28 of 32 passes them as its rows 0:4 and 4:8.
TEST(LayOutHostData, SlicesOfAHostFollowEachOther_M7) {
  const World world = WorldOf(4, 2);
  const NamedSharding sharding = ShardingOf(
      MeshOf(world, {0, 2, 1, 4, 5, 6, 3, 7}, {8}, {"x"}), PartitionSpec("x"));
  const auto layout = LayOutHostData(sharding, HostId(1), {8, 3}, Sizes{32, 3});
  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_EQ(layout->shard_shape, (Sizes{4, 3}));
  EXPECT_EQ(layout->starts, (Starts{{0, 0}, {4, 0}}));  // d2, d3
}

TEST(LayOutHostData, UnevenColumnsNeedTheGlobalShape_M7) {
  const World world = WorldOf(4, 2);
  const NamedSharding sharding =
      ShardingOf(MeshOf(world, {0, 1, 2, 3, 4, 6, 5, 7}, {2, 4}, {"x", "y"}),
                 PartitionSpec("x", "y"));
  const auto refused =
      LayOutHostData(sharding, HostId(2), {2, 4}, std::nullopt);
  EXPECT_EQ(refused.status().code(), kInvalid);
  EXPECT_THAT(Message(refused),
              AllOf(HasSubstr("dimension 1"), HasSubstr("host 0: 0, 1;"),
                    HasSubstr("host 2: 0, 2;"), HasSubstr("global shape")));
  const auto layout = LayOutHostData(sharding, HostId(2), {2, 4}, Sizes{4, 8});
  ASSERT_TRUE(layout.ok()) << layout.status();
  // d4 holds columns 0:2, d5 columns 4:6.
  EXPECT_EQ(layout->starts, (Starts{{0, 0}, {0, 2}}));
}

TEST(LayOutHostData, WholeDimensionIsCutAsTheArrayIs_M7) {
  const NamedSharding sharding =
      ShardingOf(MeshOf(WorldOf(2, 2), {4}, {"x"}), PartitionSpec("x"));
  const auto layout = LayOutHostData(sharding, HostId(1), {8}, Sizes{8});
  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_EQ(layout->starts, (Starts{{4}, {6}}));
  const auto refused = LayOutHostData(sharding, HostId(1), {3}, Sizes{8});
  EXPECT_EQ(refused.status().code(), kInvalid);
  EXPECT_THAT(Message(refused),
              AllOf(HasSubstr("dimension 0"), HasSubstr("size 3"),
                    HasSubstr("hold 4"), HasSubstr("(8,)")));
}

TEST(LayOutHostData, CallerOfAllDevicesHasTheWholeArray) {
  const NamedSharding sharding =
      ShardingOf(MeshOf(WorldOf(2, 2), {4}, {"x"}), PartitionSpec("x"));
  const auto layout = LayOutHostData(sharding, std::nullopt, {8}, std::nullopt);
  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_EQ(layout->global_shape, Sizes{8});
  EXPECT_EQ(layout->starts, (Starts{{0}, {2}, {4}, {6}}));
  EXPECT_EQ(
      LayOutHostData(sharding, std::nullopt, {4}, Sizes{8}).status().code(),
      kInvalid);
}

TEST(LayOutHostData, RefusesWhatHasNoPlace) {
  const World world = WorldOf(2, 2);
  const NamedSharding sharding =
      ShardingOf(MeshOf(world, {0, 1}, {2}, {"x"}), PartitionSpec("x"));
  EXPECT_EQ(
      LayOutHostData(sharding, HostId(1), {2}, std::nullopt).status().code(),
      absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(
      LayOutHostData(sharding, HostId(0), {2}, Sizes{2, 2}).status().code(),
      kInvalid);
  EXPECT_EQ(
      LayOutHostData(sharding, HostId(0), {3}, std::nullopt).status().code(),
      kInvalid);
  EXPECT_EQ(
      LayOutHostData(sharding, HostId(0), {}, std::nullopt).status().code(),
      kInvalid);
}

TEST(LayOutHostData, EmptyDimensionsStayEmpty) {
  const NamedSharding sharding =
      ShardingOf(MeshOf(WorldOf(2, 2), {4}, {"x"}), PartitionSpec("x"));
  const auto layout = LayOutHostData(sharding, HostId(1), {0, 2}, std::nullopt);
  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_EQ(layout->shard_shape, (Sizes{0, 2}));
  EXPECT_EQ(layout->starts, (Starts{{0, 0}, {0, 0}}));
}

TEST(LayOutLocalMesh, GoldenShapes_T27) {
  const World world = WorldOf(2, 8);
  const Mesh square = MeshOf(world, {4, 4}, {"data", "model"});
  const Mesh row = MeshOf(world, {1, 16}, {"data", "model"});
  const struct {
    Mesh mesh;
    PartitionSpec spec;
    Sizes global;
  } cases[] = {{square, PartitionSpec("data"), {16, 32}},
               {square, PartitionSpec("model"), {8, 32}},
               {square, PartitionSpec(), {8, 32}},
               {row, PartitionSpec("data", "model"), {8, 64}}};
  for (const auto& c : cases) {
    const auto layout =
        LayOutLocalMesh(ShardingOf(c.mesh, c.spec), HostId(1), {8, 32});
    ASSERT_TRUE(layout.ok()) << layout.status();
    EXPECT_EQ(layout->global_shape, c.global) << c.spec.ToString();
  }
}

TEST(LayOutLocalMesh, DataIsCutByTheLocalMesh_T27) {
  const NamedSharding sharding =
      ShardingOf(MeshOf(WorldOf(2, 4), {4, 2}, {"data", "model"}),
                 PartitionSpec("data", "model"));
  const auto layout = LayOutLocalMesh(sharding, HostId(1), {4, 6});
  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_EQ(layout->global_shape, (Sizes{8, 6}));
  EXPECT_EQ(layout->shard_shape, (Sizes{2, 3}));
  EXPECT_EQ(layout->starts, (Starts{{0, 0}, {0, 3}, {2, 0}, {2, 3}}));
}

TEST(LayOutLocalMesh, RefusesAMeshWhereAHostIsNoBox_T27) {
  const NamedSharding sharding = ShardingOf(
      MeshOf(WorldOf(2, 4), {0, 4, 1, 5}, {4}, {"x"}), PartitionSpec("x"));
  EXPECT_EQ(LayOutLocalMesh(sharding, HostId(0), {4}).status().code(),
            kInvalid);
}

TEST(LayOutRows, BlocksGoToTheDevicesInTheOrderOfTheMesh_L1) {
  const World world = WorldOf(2, 4);
  const NamedSharding sharding =
      ShardingOf(MeshOf(world, {0, 4, 1, 5}, {4}, {"x"}), PartitionSpec("x"));
  const auto layout = LayOutRows(sharding, HostId(0), 2, {4});
  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_EQ(layout->global_shape, Sizes{8});
  EXPECT_EQ(layout->starts, (Starts{{0}, {2}}));
}

TEST(LayOutRows, RefusesRowsThatDevicesDoNotDivide_L1) {
  const NamedSharding sharding =
      ShardingOf(MeshOf(WorldOf(2, 4), {2, 4}, {"x", "y"}),
                 PartitionSpec(AxisTuple{"x", "y"}));
  for (const Sizes& shape : {Sizes{5, 2}, Sizes{5}, Sizes{}}) {
    const auto refused = LayOutRows(sharding, HostId(0), 2, shape);
    EXPECT_EQ(refused.status().code(), kInvalid);
    EXPECT_THAT(Message(refused), HasSubstr("its 4 devices"));
  }
  EXPECT_THAT(Message(LayOutRows(sharding, HostId(0), 2, {5, 2})),
              HasSubstr("(5, 2)"));
}

// The rows follow from the hosts of the world, not of the mesh.
TEST(LayOutRows, RefusesAMeshWithoutADeviceOfEveryHost_L1) {
  const World world = WorldOf(2, 4);
  const NamedSharding sharding =
      ShardingOf(MeshOf(world, {0, 1, 2, 3}, {4}, {"x"}), PartitionSpec("x"));
  EXPECT_EQ(LayOutRows(sharding, HostId(0), 2, {4}).status().code(), kInvalid);
  EXPECT_EQ(LayOutRows(sharding, HostId(1), 2, {4}).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

std::vector<GlobalDeviceId> Ids(std::vector<int> numbers) {
  std::vector<GlobalDeviceId> ids;
  for (int number : numbers) ids.push_back(GlobalDeviceId(number));
  return ids;
}

TEST(LayOutBatch, PartsAreInTheOrderOfTheWorldAndBlocksInThatOfTheMesh_S10) {
  // Host 0's devices are at positions 2, 0, 3 and 1 of the mesh.
  const NamedSharding sharding = ShardingOf(
      MeshOf(WorldOf(2, 4), {1, 3, 0, 2, 4, 5, 6, 7}, {2, 4}, {"x", "y"}),
      PartitionSpec(nullptr, AxisTuple{"x", "y"}));
  const auto layout = LayOutBatch(sharding, 1, Ids({0, 1, 2, 3}), 2, {3, 8});
  ASSERT_TRUE(layout.ok()) << layout.status();
  EXPECT_EQ(layout->global_shape, (Sizes{3, 16}));
  EXPECT_EQ(layout->shard_shape, (Sizes{3, 2}));
  EXPECT_EQ(layout->starts, (Starts{{0, 2}, {0, 6}, {0, 0}, {0, 4}}));
}

TEST(LayOutBatch, RefusesWhatWouldBeLost_S10) {
  const NamedSharding sharding =
      ShardingOf(MeshOf(WorldOf(2, 4), {2, 4}, {"x", "y"}),
                 PartitionSpec(AxisTuple{"x", "y"}));
  const auto ids = Ids({0, 1, 2, 3});
  const auto uneven = LayOutBatch(sharding, 0, ids, 2, {6});
  EXPECT_EQ(uneven.status().code(), kInvalid);
  EXPECT_THAT(Message(uneven), HasSubstr("batch of 6"));
  EXPECT_THAT(Message(uneven), HasSubstr("4 local devices"));
  EXPECT_THAT(Message(LayOutBatch(sharding, 2, ids, 2, {8, 2})),
              HasSubstr("no batch dimension 2"));
  const NamedSharding half = ShardingOf(
      MeshOf(WorldOf(2, 4), {0, 1, 2, 4}, {4}, {"x"}), PartitionSpec("x"));
  EXPECT_THAT(Message(LayOutBatch(half, 0, ids, 1, {8})),
              HasSubstr("device 3"));
  EXPECT_THAT(Message(LayOutBatch(half, 0, ids, 2, {8})),
              HasSubstr("mesh of all devices"));
}

}  // namespace
}  // namespace lockstep::internal
