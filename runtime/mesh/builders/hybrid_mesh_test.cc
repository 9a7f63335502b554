// T-9, T-10, L-5 of docs/behaviour/mesh_building.md and meshes.md.
#include "runtime/mesh/builders/hybrid_mesh.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/builders/builders_testing.h"
#include "runtime/mesh/builders/granule_mesh.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Sizes = std::vector<int64_t>;

std::string Hybrid(const Sizes& ici, const Sizes& dcn,
                   const std::vector<Device>& devices,
                   HybridMeshOptions options = {}) {
  const auto grid = BuildHybridMesh(ici, dcn, devices, options);
  return grid.ok() ? RowsText(*grid) : grid.status().ToString();
}

TEST(HybridMesh, GoldenValuesOfSlices_T9) {
  const std::vector<Device> sixteen = GpuWorld(2, 8, 2).devices();
  const std::vector<Device> eight = GpuWorld(2, 4, 2).devices();
  EXPECT_EQ(Hybrid({1, 4, 2}, {2, 1, 1}, sixteen),
            "[0 1][2 3][4 5][6 7][8 9][10 11][12 13][14 15]");
  EXPECT_THAT(BuildHybridMesh({1, 4, 2}, {2, 1, 1}, sixteen)->dims,
              ElementsAre(2, 4, 2));
  EXPECT_EQ(Hybrid({1, 2, 2}, {1, 2, 1}, eight), "[0 1][2 3][4 5][6 7]");
  EXPECT_EQ(Hybrid({1, 2, 2}, {1, 1, 2}, eight), "[0 1 4 5][2 3 6 7]");
  EXPECT_EQ(Hybrid({2, 2}, {2, 2}, GpuWorld(4, 4, 4).devices()),
            "[0 1 4 5][2 3 6 7][8 9 12 13][10 11 14 15]");
}

TEST(HybridMesh, OrdersGranulesByKeyOrByTheList_T9) {
  std::vector<Device> devices = GpuWorld(2, 4, 2).devices();
  std::reverse(devices.begin(), devices.end());
  EXPECT_EQ(Hybrid({2, 2}, {2, 1}, devices), "[0 1][2 3][4 5][6 7]");
  EXPECT_EQ(Hybrid({2, 2}, {2, 1}, devices, {.sort_granules_by_key = false}),
            "[4 5][6 7][0 1][2 3]");
  for (Device& device : devices) device.platform = "cpu";
  EXPECT_EQ(Hybrid({2, 2}, {2, 1}, devices), "[3 2][1 0][7 6][5 4]");
}

TEST(HybridMesh, EveryDeviceIsWhereDivisionAndRemainderPutIt_T9) {
  const Sizes ici = {2, 3, 1};
  const Sizes dcn = {2, 1, 2};
  const std::vector<Device> devices = GpuWorld(4, 6).devices();
  const DeviceGrid grid =
      *BuildHybridMesh(ici, dcn, devices, {.granule = Granule::kHost});
  ASSERT_THAT(grid.dims, ElementsAre(4, 3, 2));
  for (int64_t x = 0; x < 4; ++x) {
    for (int64_t y = 0; y < 3; ++y) {
      for (int64_t z = 0; z < 2; ++z) {
        const int64_t granule = x / ici[0] * dcn[2] + z / ici[2];
        const int64_t within = x % ici[0] * ici[1] + y;
        EXPECT_EQ(grid.devices[(x * 3 + y) * 2 + z].id.value(),
                  granule * 6 + within);
      }
    }
  }
}

TEST(HybridMesh, RefusesGranulesThatDoNotFit_T9) {
  const auto message = [](const Sizes& ici, const Sizes& dcn,
                          const World& world) {
    return MessageOf(BuildHybridMesh(ici, dcn, world.devices()).status(),
                     absl::StatusCode::kInvalidArgument);
  };
  EXPECT_THAT(message({2, 2}, {2, 1}, GpuWorld(2, 4)),
              AllOf(HasSubstr("device 0"), HasSubstr("slice index"),
                    HasSubstr("Granule::kHost")));
  EXPECT_THAT(message({2, 2}, {3, 1}, GpuWorld(2, 4, 2)),
              AllOf(HasSubstr("2 granules"), HasSubstr("[3, 1]")));
  EXPECT_THAT(message({2, 2}, {-1, -2}, GpuWorld(2, 4, 2)),
              HasSubstr("[-1, -2]"));
  EXPECT_THAT(message({2, 2, 1}, {2, 1}, GpuWorld(2, 4, 2)),
              AllOf(HasSubstr("[2, 2, 1]"), HasSubstr("[2, 1]")));
  EXPECT_THAT(message({2, 1}, {2, 1}, GpuWorld(2, 4, 2)),
              AllOf(HasSubstr("4 devices"), HasSubstr("[2, 1]")));
}

TEST(GranuleMesh, OrdersByPlatform_T10) {
  std::vector<Device> devices = GpuWorld(1, 4).devices();
  std::swap(devices[0], devices[3]);
  EXPECT_EQ(RowsText(*BuildGranuleMesh({2, 2}, devices)), "[0 1][2 3]");
  for (Device& device : devices) device.platform = "cuda";
  EXPECT_EQ(RowsText(*BuildGranuleMesh({2, 2}, devices)), "[0 1][2 3]");
  for (Device& device : devices) device.platform = "cpu";
  EXPECT_EQ(RowsText(*BuildGranuleMesh({2, 2}, devices)), "[3 1][2 0]");
}

TEST(GranuleMesh, PlacesTpusByTheirTorus_T10) {
  // The id of (x, y, z) is x + 4 y + 16 z, so x is the slowest direction of the
  // torus and the last mesh axis of 4 takes it.
  const World world = V4World(4, 4, 4);
  EXPECT_EQ(RowsText(*BuildGranuleMesh({16, 4}, world.devices())).substr(0, 27),
            "[0 1 2 3][16 17 18 19][32 3");
  const auto split = BuildGranuleMesh({8, 8}, world.devices(), true);
  ASSERT_TRUE(split.ok()) << split.status();
  EXPECT_EQ(RowsText(*split).substr(0, 43),
            "[0 4 1 5 2 6 3 7][16 20 17 21 18 22 19 23][");
  EXPECT_THAT(MessageOf(BuildGranuleMesh({8, 8}, world.devices()).status(),
                        absl::StatusCode::kUnimplemented),
              AllOf(HasSubstr("axis 1 of size 8"), HasSubstr("[4, 4, 4]")));
}

TEST(GranuleMesh, RefusesDevicesThatDoNotMakeIt_T10) {
  const auto message = [](const Sizes& dims, std::vector<Device> devices) {
    return MessageOf(BuildGranuleMesh(dims, std::move(devices)).status(),
                     absl::StatusCode::kInvalidArgument);
  };
  EXPECT_THAT(message({2, 3}, GpuWorld(1, 4).devices()),
              AllOf(HasSubstr("4 devices"), HasSubstr("[2, 3]")));
  EXPECT_THAT(message({-2, -2}, GpuWorld(1, 4).devices()),
              HasSubstr("[-2, -2]"));
  EXPECT_THAT(message({}, {}), HasSubstr("0 devices"));
  std::vector<Device> tpus = V4World(2, 2, 1).devices();
  tpus[1].coords.reset();
  EXPECT_THAT(message({4}, tpus),
              AllOf(HasSubstr("device 1"), HasSubstr("coordinates")));
  tpus[1].coords = {5, 0, 0};
  EXPECT_THAT(message({4}, tpus), HasSubstr("(6, 2, 1, 1)"));
  tpus[1].coords = {0, 0, 0};
  EXPECT_THAT(message({4}, tpus), HasSubstr("(2, 2, 1, 1)"));
}

TEST(DeviceMesh, SplitsTheFirstAxisOverTheGranules_L5) {
  const World slice_world = V4World(4, 2, 1);
  std::vector<Device> tpus;
  for (int32_t slice : {0, 1}) {
    for (Device device : slice_world.devices()) {
      device.id = GlobalDeviceId(device.id.value() + slice * 8);
      device.slice = slice;
      tpus.push_back(device);
    }
  }
  for (const std::vector<Device>& devices : {GpuWorld(2, 8).devices(), tpus}) {
    const auto granule =
        devices[0].slice.has_value() ? Granule::kSlice : Granule::kHost;
    EXPECT_EQ(
        *BuildDeviceMesh(Sizes{1, 2, 8}, devices),
        *BuildHybridMesh({1, 1, 8}, {1, 2, 1}, devices, {.granule = granule}));
    EXPECT_EQ(
        *BuildDeviceMesh(Sizes{2, 1, 8}, devices),
        *BuildHybridMesh({1, 1, 8}, {2, 1, 1}, devices, {.granule = granule}));
    EXPECT_EQ(*BuildDeviceMesh(Sizes{-1, 8}, devices),
              *BuildDeviceMesh(Sizes{2, 8}, devices));
    EXPECT_EQ(*BuildDeviceMesh(HybridMeshShape{{2, -1}, {1, -1}}, devices),
              *BuildHybridMesh({2, 4}, {1, 2}, devices, {.granule = granule}));
  }
}

TEST(DeviceMesh, RefusesWhatItCannotSplit_L5) {
  const World cpus = *FlatWorld({.hosts = 2, .devices_per_host = 6});
  const auto message = [&](auto shape) {
    return MessageOf(BuildDeviceMesh(shape, cpus.devices()).status(),
                     absl::StatusCode::kInvalidArgument);
  };
  EXPECT_THAT(message(Sizes{1, 3, 4}),
              AllOf(HasSubstr("axis 1 of size 3"), HasSubstr("2 granules")));
  EXPECT_THAT(message(Sizes{-1, -1}), HasSubstr("[-1, -1]"));
  EXPECT_THAT(message(HybridMeshShape{{1, 6}, {2}}),
              AllOf(HasSubstr("[1, 6]"), HasSubstr("[2]")));
  std::vector<Device> mixed = cpus.devices();
  mixed[3].platform = "gpu";
  EXPECT_THAT(
      MessageOf(BuildDeviceMesh(Sizes{12}, mixed).status(),
                absl::StatusCode::kUnimplemented),
      AllOf(HasSubstr("device 3 of gpu"), HasSubstr("device 0 of cpu")));
}

TEST(DeviceMesh, OfGpusThatCannotBeSplitIsOrderedById_L5) {
  std::vector<Device> devices = GpuWorld(2, 6).devices();
  std::reverse(devices.begin(), devices.end());
  EXPECT_EQ(RowsText(*BuildDeviceMesh(Sizes{3, 4}, devices)),
            "[0 1 2 3][4 5 6 7][8 9 10 11]");
}

}  // namespace
}  // namespace lockstep::internal
