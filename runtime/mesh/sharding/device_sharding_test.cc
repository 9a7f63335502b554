#include "runtime/mesh/sharding/device_sharding.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/mesh_testing.h"
#include "runtime/mesh/shard_layout.h"
#include "runtime/mesh/sharding/device_groups.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/sharding_text.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;

std::vector<Device> Devices(int64_t count) {
  return WorldOf(1, static_cast<int32_t>(count)).devices();
}

absl::StatusOr<NamedSharding> Make(absl::string_view mesh,
                                   absl::string_view sharding, int64_t count) {
  return DeviceSharding(*ParseSdySharding(sharding), MeshOfText(mesh),
                        Devices(count));
}

TEST(DeviceSharding, AxesAreThoseOfTheMesh) {
  const auto made = Make(R"(<["data"=4, "model"=2]>)",
                         R"(<@m, [{"data"}, {?}, {"model"}]>)", 8);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->ToString(),
            "NamedSharding(mesh=Mesh('data': 4, 'model': 2), "
            "spec=PartitionSpec('data', None, 'model'))");
}

TEST(DeviceSharding, SubAxesAreAxes) {
  const auto made =
      Make(R"(<["x"=8, "y"=2]>)", R"(<@m, [{"x":(4)2, "y"}, {"x":(1)2}]>)", 16);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->ToString(),
            "NamedSharding(mesh=Mesh('x:(1)2': 2, 'x:(2)2': 2, 'x:(4)2': 2, "
            "'y': 2), spec=PartitionSpec(('x:(4)2', 'y'), 'x:(1)2'))");
}

TEST(DeviceSharding, DevicesAreInTheOrderOfTheMesh) {
  const auto made =
      Make(R"(<["x"=4], device_ids=[2, 0, 3, 1]>)", R"(<@m, [{"x"}]>)", 4);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_THAT(IdsOf(made->mesh().devices()), ElementsAre(2, 0, 3, 1));
}

TEST(DeviceSharding, EmptyMeshIsOneAxis) {
  const auto made = Make("<[]>", "<@m, [{}]>", 3);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(
      made->ToString(),
      "NamedSharding(mesh=Mesh('devices': 3), spec=PartitionSpec(None,))");
}

TEST(DeviceSharding, WhatIsNoArrayIsRefused) {
  EXPECT_EQ(
      Make(R"(<["x"=2]>)", R"(<@m, [{}], unreduced={"x"}>)", 2).status(),
      absl::UnimplementedError(R"(partial results along "x" are no array)"));
  EXPECT_EQ(
      Make(R"(<["x"=2]>)", R"(<@m, [{}]>)", 3).status(),
      absl::InvalidArgumentError(R"(a mesh of 2 devices, <["x"=2]>, on 3)"));
}

TEST(DeviceSharding, EveryDeviceHasTheShardOfItsLogicalId) {
  RandomShardings random(1);
  for (int round = 0; round < 200; ++round) {
    const ShardingMesh mesh = random.Mesh();
    TensorSharding sharding = random.Sharding(mesh, random.Below(4));
    sharding.unreduced.clear();
    SCOPED_TRACE(mesh.ToString() + " " + ToSdyString(sharding));
    const auto made =
        DeviceSharding(sharding, mesh, Devices(mesh.device_count()));
    ASSERT_TRUE(made.ok()) << made.status();
    std::vector<int64_t> shape = ShardCounts(sharding, mesh.abstract());
    for (int64_t& size : shape) size *= 3;
    const auto layout = ShardLayout::Create(*made, shape);
    ASSERT_TRUE(layout.ok()) << layout.status();
    for (int64_t i = 0; i < mesh.device_count(); ++i) {
      const int64_t id = made->mesh().devices()[i].id.value();
      const ShardIndex index = layout->Index(i);
      for (size_t dim = 0; dim < shape.size(); ++dim) {
        EXPECT_EQ(index[dim].start(),
                  3 * *ShardIndexOf(id, sharding.dims[dim].axes, mesh));
      }
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
