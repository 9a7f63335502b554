// Y-3 of docs/behaviour/shardings.md.
#include "runtime/mesh/sharding/sharding_mesh.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/sharding/mesh_table.h"
#include "runtime/mesh/sharding/sharding_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(ShardingMesh, MayOrderItsDevices) {
  const ShardingMesh mesh = *ShardingMesh::Create(
      *AbstractMesh::Create({{"a", 3}, {"b", 2}}), {0, 2, 4, 1, 3, 5});
  EXPECT_EQ(mesh.ToString(),
            R"(<["a"=3, "b"=2], device_ids=[0, 2, 4, 1, 3, 5]>)");
  EXPECT_EQ(mesh.device_count(), 6);
  EXPECT_EQ(mesh.DeviceAt(2), 4);
  EXPECT_FALSE(mesh.is_empty());
  EXPECT_FALSE(mesh.is_maximal());
}

TEST(ShardingMesh, AscendingDeviceIdsAreDropped) {
  const ShardingMesh mesh = *ShardingMesh::Create(OneAxis("a", 3), {0, 1, 2});
  EXPECT_THAT(mesh.device_ids(), IsEmpty());
  EXPECT_EQ(mesh.ToString(), R"(<["a"=3]>)");
  EXPECT_EQ(mesh.DeviceAt(2), 2);
  EXPECT_EQ(mesh, *ShardingMesh::Create(OneAxis("a", 3)));
}

TEST(ShardingMesh, WithoutAxesIsEmptyOrMaximal) {
  EXPECT_TRUE(ShardingMesh().is_empty());
  EXPECT_EQ(ShardingMesh().device_count(), 0);
  EXPECT_EQ(ShardingMesh().ToString(), "<[]>");
  const ShardingMesh maximal = *ShardingMesh::Create({}, {3});
  EXPECT_TRUE(maximal.is_maximal());
  EXPECT_FALSE(maximal.is_empty());
  EXPECT_EQ(maximal.device_count(), 1);
  EXPECT_EQ(maximal.ToString(), "<[], device_ids=[3]>");
  EXPECT_THAT(maximal.device_ids(), ElementsAre(3));
  EXPECT_EQ(ShardingMesh::Create({}, {0})->ToString(), "<[], device_ids=[0]>");
}

TEST(ShardingMesh, RefusesDeviceIdsThatAreNoPermutation) {
  const auto error = [](std::vector<MeshAxis> axes, std::vector<int64_t> ids) {
    return InvalidArgument(
        ShardingMesh::Create(*AbstractMesh::Create(std::move(axes)),
                             std::move(ids))
            .status());
  };
  EXPECT_THAT(error({{"a", 2}, {"b", 2}}, {0, 1, 2, 3, 4, 5}),
              AllOf(HasSubstr("4 devices"), HasSubstr("6 device ids")));
  EXPECT_THAT(error({{"a", 1000000000000000000}}, {0}),
              AllOf(HasSubstr("1000000000000000000"), HasSubstr("1 device")));
  EXPECT_THAT(error({{"a", 2}}, {1, 1}),
              AllOf(HasSubstr("[1, 1]"), HasSubstr("2 devices")));
  EXPECT_THAT(error({{"a", 3}}, {3, -1, 1}), HasSubstr("[-1, 1, 3]"));
  EXPECT_THAT(error({}, {0, 1}), HasSubstr("found 2"));
  EXPECT_THAT(error({}, {-7}), HasSubstr("-7"));
}

TEST(MeshTable, FindsWhatIsDeclared) {
  MeshTable meshes;
  EXPECT_TRUE(meshes.Add("m", MeshOfText(R"(<["a"=8]>)")).ok());
  EXPECT_TRUE(meshes.Add("n", MeshOfText(R"(<["b"=4, "c"=2]>)")).ok());
  EXPECT_TRUE(meshes.Add("empty", ShardingMesh()).ok());
  EXPECT_TRUE(meshes.Add("one", MeshOfText("<[], device_ids=[3]>")).ok());
  EXPECT_EQ((*meshes.Find("n"))->device_count(), 8);
  EXPECT_THAT(InvalidArgument(meshes.Find("q").status()), HasSubstr("@q"));
}

TEST(MeshTable, RefusesANameTwice) {
  MeshTable meshes;
  EXPECT_TRUE(meshes.Add("m", MeshOfText(R"(<["a"=8]>)")).ok());
  EXPECT_THAT(InvalidArgument(meshes.Add("m", ShardingMesh())),
              HasSubstr("@m"));
  // Of another size: a file may have programs for several.
  EXPECT_TRUE(meshes.Add("n", MeshOfText(R"(<["a"=4]>)")).ok());
}

}  // namespace
}  // namespace lockstep::internal
