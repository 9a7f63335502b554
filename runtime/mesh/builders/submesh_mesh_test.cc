// T-1, T-2, T-6 of docs/behaviour/mesh_building.md.
#include "runtime/mesh/builders/submesh_mesh.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/builders/builders_testing.h"
#include "runtime/mesh/builders/hardware_coords.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr absl::StatusCode kFailedPrecondition =
    absl::StatusCode::kFailedPrecondition;

TEST(HardwareCoords, BoundsAreOnePastTheLastDevice_T1) {
  const World v3 = V3World();
  Device device;
  device.coords = {3, 3, 3};
  device.core = 1;
  EXPECT_THAT(HardwareBounds(device, v3), ElementsAre(4, 4, 4, 2));
  EXPECT_THAT(*HardwareBounds(v3.devices(), v3), ElementsAre(4, 4, 1, 2));
  EXPECT_THAT(*HardwareBounds(v3.local(HostId(0)), v3),
              ElementsAre(2, 2, 1, 2));
  const World gpus = GpuWorld(1, 4);
  EXPECT_THAT(HardwareBounds(gpus.devices().back(), gpus), ElementsAre(1, 4));
  EXPECT_EQ(HardwareBounds(absl::Span<const Device>(), gpus).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(HardwareCoords, AreThoseOfTheDeviceOrItsPlaceOnItsHost_T2) {
  Device device;
  device.coords = {1, 0, 1};
  device.core = 1;
  EXPECT_THAT(HardwareCoords(device, World()), ElementsAre(1, 0, 1, 1));
  const World gpus = GpuWorld(2, 8);
  EXPECT_THAT(HardwareCoords(gpus.devices()[9], gpus), ElementsAre(1, 1));
}

std::string Rows(std::vector<int64_t> submesh, const World& world,
                 bool tile = true) {
  const auto mesh =
      BuildSubmeshMesh(submesh, world, {.tile_by_host_if_needed = tile});
  return mesh.ok() ? RowsText(*mesh) : mesh.status().ToString();
}

TEST(SubmeshMesh, GoldenValuesOfTwoCoreChips_T6) {
  const World world = V3World();
  EXPECT_EQ(Rows({2, 1, 1, 2}, world),
            "[0 1 2 3][8 9 10 11][16 17 18 19][24 25 26 27]"
            "[4 5 6 7][12 13 14 15][20 21 22 23][28 29 30 31]");
  EXPECT_EQ(Rows({1, 1, 1, 2}, world),
            "[0 1][8 9][2 3][10 11][16 17][24 25][18 19][26 27]"
            "[4 5][12 13][6 7][14 15][20 21][28 29][22 23][30 31]");
  EXPECT_EQ(Rows({1, 1, 1, 2}, world, false),
            "[0 1][8 9][16 17][24 25][2 3][10 11][18 19][26 27]"
            "[4 5][12 13][20 21][28 29][6 7][14 15][22 23][30 31]");
  EXPECT_EQ(Rows({2, 2, 1, 2}, world),
            "[0 1 8 9 2 3 10 11][16 17 24 25 18 19 26 27]"
            "[4 5 12 13 6 7 14 15][20 21 28 29 22 23 30 31]");
  EXPECT_EQ(Rows({4, 2, 1, 2}, world),
            "[0 1 8 9 2 3 10 11 4 5 12 13 6 7 14 15]"
            "[16 17 24 25 18 19 26 27 20 21 28 29 22 23 30 31]");
  EXPECT_EQ(Rows({4, 1, 1, 2}, world),
            "[0 1 2 3 4 5 6 7][8 9 10 11 12 13 14 15]"
            "[16 17 18 19 20 21 22 23][24 25 26 27 28 29 30 31]");
  EXPECT_EQ(Rows({1, 4, 1, 2}, world),
            "[0 1 8 9 16 17 24 25][2 3 10 11 18 19 26 27]"
            "[4 5 12 13 20 21 28 29][6 7 14 15 22 23 30 31]");
}

TEST(SubmeshMesh, GoldenValuesOfOneCoreChips_T6) {
  const World world = V4World(4, 4, 4);
  EXPECT_EQ(world.host_count(), 16);
  EXPECT_THAT(Rows({4, 1, 1, 1}, world), AllOf(StartsWith("[0 1 2 3][4 5 6 7]"),
                                               EndsWith("[60 61 62 63]")));
  EXPECT_THAT(
      Rows({1, 2, 1, 1}, world),
      AllOf(StartsWith("[0 4][1 5][16 20][17 21]"), EndsWith("[59 63]")));
  EXPECT_THAT(Rows({4, 2, 1, 1}, world),
              AllOf(StartsWith("[0 4 1 5 2 6 3 7][16 20 17 21 18 22 19 23]"),
                    EndsWith("[56 60 57 61 58 62 59 63]")));
  EXPECT_THAT(Rows({4, 4, 1, 1}, world),
              StartsWith("[0 4 1 5 8 12 9 13 2 6 3 7 10 14 11 15]"));
  EXPECT_THAT(
      Rows({1, 4, 4, 1}, world),
      AllOf(StartsWith("[0 4 8 12 16 20 24 28 32 36 40 44 48 52 56 60]"),
            EndsWith("[3 7 11 15 19 23 27 31 35 39 43 47 51 55 59 63]")));
  EXPECT_THAT(Rows({4, 1, 4, 1}, world),
              StartsWith("[0 1 2 3 16 17 18 19 32 33 34 35 48 49 50 51]"));
}

TEST(SubmeshMesh, GoldenValuesWithoutCoordinates_T6) {
  const World world = GpuWorld(2, 4);
  EXPECT_EQ(Rows({1, 2}, world), "[0 1][2 3][4 5][6 7]");
  EXPECT_EQ(Rows({2, 1}, world), "[0 4][1 5][2 6][3 7]");
  EXPECT_EQ(Rows({2, 2}, world), "[0 1 4 5][2 3 6 7]");
  EXPECT_EQ(Rows({2, 4}, world), "[0 1 2 3 4 5 6 7]");
}

TEST(SubmeshMesh, HasTheAxesDataAndModel_T6) {
  const Mesh mesh = *BuildSubmeshMesh({2, 1, 1, 2}, V3World());
  EXPECT_EQ(mesh.ToString(), "Mesh('data': 8, 'model': 4)");
  std::vector<int32_t> hosts;
  for (int64_t row = 0; row < 8; ++row) {
    hosts.push_back(mesh.devices()[row * 4].host.value());
  }
  EXPECT_THAT(hosts, ElementsAre(0, 0, 2, 2, 1, 1, 3, 3));
}

TEST(SubmeshMesh, DoesNotDependOnTheOrderOfTheDevices_T6) {
  const World world = V3World();
  std::vector<Device> devices = world.devices();
  std::reverse(devices.begin(), devices.end());
  EXPECT_EQ(*BuildSubmeshMesh({2, 1, 1, 2}, world, {.devices = devices}),
            *BuildSubmeshMesh({2, 1, 1, 2}, world));
}

TEST(SubmeshMesh, TakesOtherDevicesAsThoseOfAHost_T6) {
  const World world = V3World();
  const std::vector<Device> one_core(world.devices().begin(),
                                     world.devices().begin() + 2);
  EXPECT_EQ(*BuildSubmeshMesh({1, 1, 1, 2}, world, {.local_devices = one_core}),
            *BuildSubmeshMesh({1, 1, 1, 2}, world,
                              {.tile_by_host_if_needed = false}));
}

TEST(SubmeshMesh, WithoutTilesTheHostsAreNoBoxes_T6) {
  const Mesh mesh = *BuildSubmeshMesh({1, 1, 1, 2}, V3World(),
                                      {.tile_by_host_if_needed = false});
  EXPECT_THAT(MessageOf(mesh.LocalMesh(HostId(0)).status(),
                        absl::StatusCode::kInvalidArgument),
              AllOf(HasSubstr("host 0"), HasSubstr("of host 2")));
}

TEST(SubmeshMesh, RefusesSizesThatDoNotDivide_T6) {
  EXPECT_THAT(MessageOf(BuildSubmeshMesh({3, 1, 1, 2}, V3World()).status(),
                        kFailedPrecondition),
              AllOf(HasSubstr("(3, 1, 1, 2)"), HasSubstr("(4, 4, 1, 2)"),
                    HasSubstr("dimension 0")));
  // Three of four chips as those of a host.
  const World world = V3World();
  const std::vector<Device> local(world.devices().begin(),
                                  world.devices().begin() + 6);
  EXPECT_THAT(
      MessageOf(BuildSubmeshMesh({1, 1, 1, 2}, world, {.local_devices = local})
                    .status(),
                kFailedPrecondition),
      AllOf(HasSubstr("(3, 1, 1, 2)"), HasSubstr("(4, 4, 1, 2)"),
            HasSubstr("dimension 0")));
  // A whole line of chips, but one core of two.
  EXPECT_THAT(MessageOf(BuildSubmeshMesh({4, 1, 1, 1}, V3World()).status(),
                        kFailedPrecondition),
              AllOf(HasSubstr("1 cores"), HasSubstr("the 2 of a chip")));
}

TEST(SubmeshMesh, RefusesTilesThatDoNotFitHosts_T6) {
  const World world =
      *TorusWorld({.chips = {12, 1, 1}, .host_chips = {4, 1, 1}});
  for (int64_t size : {6, 3}) {
    EXPECT_THAT(MessageOf(BuildSubmeshMesh({size, 1, 1, 1}, world).status(),
                          kFailedPrecondition),
                AllOf(HasSubstr(absl::StrCat("(", size, ", 1, 1, 1)")),
                      HasSubstr("(4, 1, 1, 1)"), HasSubstr("dimension 0")));
  }
  EXPECT_EQ(Rows({2, 1, 1, 1}, world), "[0 1][2 3][4 5][6 7][8 9][10 11]");
}

TEST(SubmeshMesh, RefusesWhatIsNoSubmeshOfTheDevices_T6) {
  const auto message = [](std::vector<int64_t> submesh, const World& world,
                          SubmeshOptions options = {}) {
    return MessageOf(BuildSubmeshMesh(submesh, world, options).status(),
                     absl::StatusCode::kInvalidArgument);
  };
  const World world = V3World();
  EXPECT_THAT(message({2, 2}, world),
              AllOf(HasSubstr("(2, 2)"), HasSubstr("(4, 4, 1, 2)")));
  EXPECT_THAT(message({2, 0, 1, 1}, world), HasSubstr("(2, 0, 1, 1)"));
  std::vector<Device> devices = world.devices();
  devices.erase(devices.begin());
  EXPECT_THAT(message({1, 1, 1, 1}, world, {.devices = devices}),
              AllOf(HasSubstr("need 32"), HasSubstr("found 31")));
  devices.push_back(devices.back());
  EXPECT_THAT(message({1, 1, 1, 1}, world, {.devices = devices}),
              HasSubstr("devices 31 and 31 are both at (3, 3, 0, 1)"));
}

}  // namespace
}  // namespace lockstep::internal
