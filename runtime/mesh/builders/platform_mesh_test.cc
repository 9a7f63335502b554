// T-7, T-8, T-11 of docs/behaviour/mesh_building.md.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/builders/builders_testing.h"
#include "runtime/mesh/builders/cpu_mesh.h"
#include "runtime/mesh/builders/default_mesh.h"
#include "runtime/mesh/builders/gpu_mesh.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(CpuMesh, IsHostsByDevices_T7) {
  const Mesh mesh =
      *BuildCpuMesh(*FlatWorld({.hosts = 2, .devices_per_host = 4}));
  EXPECT_EQ(mesh.ToString(), "Mesh('data': 2, 'model': 4)");
  EXPECT_EQ(RowsText(mesh), "[0 1 2 3][4 5 6 7]");
  EXPECT_EQ(BuildCpuMesh(*FlatWorld({.devices_per_host = 8}))->ToString(),
            "Mesh('data': 1, 'model': 8)");
}

TEST(CpuMesh, RefusesHostsOfDifferentSizes_T7) {
  EXPECT_THAT(MessageOf(BuildCpuMesh(World::HostMajor({2, 2, 3})).status(),
                        absl::StatusCode::kFailedPrecondition),
              AllOf(HasSubstr("2 on host 0"), HasSubstr("3 on host 2")));
  EXPECT_EQ(BuildCpuMesh(World()).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

struct GpuCase {
  int32_t hosts;
  int32_t devices_per_host;
  int64_t num_partitions;
  std::string mesh;
  std::string rows;
};

TEST(GpuMesh, GoldenValues_T8) {
  const std::string ids = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15";
  const GpuCase cases[] = {
      {2, 8, 1, "Mesh('data': 16, 'model': 1)",
       "[0][1][2][3][4][5][6][7][8][9][10][11][12][13][14][15]"},
      {2, 8, 2, "Mesh('data': 8, 'model': 2)",
       "[0 1][2 3][4 5][6 7][8 9][10 11][12 13][14 15]"},
      {2, 8, 4, "Mesh('data': 4, 'model': 4)",
       "[0 1 2 3][4 5 6 7][8 9 10 11][12 13 14 15]"},
      {2, 8, 8, "Mesh('data': 2, 'model': 8)",
       "[0 1 2 3 4 5 6 7][8 9 10 11 12 13 14 15]"},
      {2, 8, 16, "Mesh('data': 1, 'model': 16)", "[" + ids + "]"},
      {4, 2, 4, "Mesh('data': 2, 'model': 4)", "[0 1 2 3][4 5 6 7]"},
      {4, 2, 8, "Mesh('data': 1, 'model': 8)", "[0 1 2 3 4 5 6 7]"},
  };
  for (const GpuCase& c : cases) {
    const Mesh mesh =
        *BuildGpuMesh(c.num_partitions, GpuWorld(c.hosts, c.devices_per_host));
    EXPECT_EQ(mesh.ToString(), c.mesh);
    EXPECT_EQ(RowsText(mesh), c.rows);
  }
}

TEST(GpuMesh, RefusesPartitionsThatDoNotFitHosts_T8) {
  for (int64_t num_partitions : {3, 12}) {
    EXPECT_THAT(MessageOf(BuildGpuMesh(num_partitions, GpuWorld(2, 8)).status(),
                          absl::StatusCode::kFailedPrecondition),
                AllOf(HasSubstr(absl::StrCat(num_partitions, " partitions")),
                      HasSubstr("8 devices")));
  }
  EXPECT_THAT(MessageOf(BuildGpuMesh(32, GpuWorld(2, 8)).status(),
                        absl::StatusCode::kInvalidArgument),
              AllOf(HasSubstr("2 granules"), HasSubstr("[0, 4]")));
  EXPECT_THAT(MessageOf(BuildGpuMesh(8, GpuWorld(3, 4)).status(),
                        absl::StatusCode::kInvalidArgument),
              AllOf(HasSubstr("3 granules"), HasSubstr("[1, 2]")));
  EXPECT_THAT(MessageOf(BuildGpuMesh(0, GpuWorld(2, 8)).status(),
                        absl::StatusCode::kInvalidArgument),
              HasSubstr("found 0"));
}

std::string Default(int64_t num_partitions, const World& world) {
  const auto mesh = BuildDefaultMesh(num_partitions, world);
  return mesh.ok() ? RowsText(*mesh) : mesh.status().ToString();
}

std::string Submesh(std::vector<int64_t> submesh, const World& world) {
  const auto mesh = BuildDefaultMesh(1, world, {.submesh = submesh});
  return mesh.ok() ? RowsText(*mesh) : mesh.status().ToString();
}

TEST(DefaultMesh, OfTwoCoreChips_T11) {
  const World world = V3World();
  const Mesh mesh = *BuildDefaultMesh(4, world);
  EXPECT_EQ(mesh.ToString(), "Mesh('data': 8, 'model': 4)");
  EXPECT_EQ(mesh.size(), 32);
  for (int32_t host = 0; host < 4; ++host) {
    EXPECT_EQ(mesh.LocalMesh(HostId(host))->ToString(),
              "Mesh('data': 2, 'model': 4)");
  }
  EXPECT_EQ(RowsText(*mesh.LocalMesh(HostId(0))), "[0 1 2 3][8 9 10 11]");
  EXPECT_EQ(Default(1, world), Submesh({1, 1, 1, 1}, world));
  EXPECT_EQ(Default(2, world), Submesh({1, 1, 1, 2}, world));
  EXPECT_EQ(Default(8, world), Submesh({2, 2, 1, 2}, world));
  EXPECT_EQ(Default(16, world), Submesh({4, 2, 1, 2}, world));
}

TEST(DefaultMesh, OfOneCoreChipsPrefersLongDirections_T11) {
  const World cube = V4World(4, 4, 4);
  EXPECT_EQ(Default(1, cube), Submesh({1, 1, 1, 1}, cube));
  EXPECT_EQ(Default(2, cube), Submesh({1, 2, 1, 1}, cube));
  EXPECT_EQ(Default(4, cube), Submesh({4, 1, 1, 1}, cube));
  EXPECT_EQ(Default(8, cube), Submesh({4, 2, 1, 1}, cube));
  EXPECT_EQ(Default(16, cube), Submesh({4, 4, 1, 1}, cube));
  const World small = V4World(2, 2, 1);
  EXPECT_EQ(Default(4, small), Submesh({2, 2, 1, 1}, small));
  const World tall = V4World(4, 4, 16);
  EXPECT_EQ(Default(8, tall), Submesh({1, 1, 8, 1}, tall));
  EXPECT_EQ(Default(16, tall), Submesh({1, 1, 16, 1}, tall));
  const World wide = V4World(8, 2, 4);
  EXPECT_EQ(Default(16, wide), Submesh({8, 2, 1, 1}, wide));
  const World narrow = V4World(2, 2, 4);
  EXPECT_EQ(Default(16, narrow), Submesh({2, 2, 4, 1}, narrow));
  EXPECT_EQ(BuildDefaultMesh(4, *TorusWorld({.chips = {4, 4, 1},
                                             .host_chips = {2, 2, 1},
                                             .kind = "TPU v4 lite"}))
                ->ToString(),
            "Mesh('data': 4, 'model': 4)");
}

TEST(DefaultMesh, OfHostsOfCpusAndGpus_T11) {
  const World cpus = *FlatWorld({.hosts = 2, .devices_per_host = 4});
  EXPECT_EQ(BuildDefaultMesh(1, cpus)->ToString(),
            "Mesh('data': 2, 'model': 4)");
  const World gpus = GpuWorld(2, 8);
  EXPECT_EQ(*BuildDefaultMesh(4, gpus), *BuildGpuMesh(4, gpus));
}

TEST(DefaultMesh, OverSlicesWhenBothShapesAreGiven_T11) {
  const World world = GpuWorld(4, 4, 2);
  const Mesh mesh = *BuildDefaultMesh(1, world,
                                      {.ici = std::vector<int64_t>{1, 4, 2},
                                       .dcn = std::vector<int64_t>{2, 1, 1}});
  EXPECT_EQ(mesh.ToString(), "Mesh('replica': 2, 'data': 4, 'model': 2)");
  EXPECT_EQ(RowsText(mesh), "[0 1][2 3][4 5][6 7][8 9][10 11][12 13][14 15]");
  EXPECT_EQ(*BuildDefaultMesh(1, world, {.ici = std::vector<int64_t>{1, 4, 2}}),
            *BuildGpuMesh(1, world));
}

TEST(DefaultMesh, TakesTheDevicesOfOneBackend_T11) {
  std::vector<Device> devices = GpuWorld(1, 2).devices();
  devices.push_back(FlatWorld({.hosts = 1})->devices()[0]);
  devices.back().id = GlobalDeviceId(2);
  const World world(devices);
  EXPECT_EQ(RowsText(*BuildDefaultMesh(2, world, {.backend = "gpu"})), "[0 1]");
  EXPECT_THAT(MessageOf(BuildDefaultMesh(2, world, {.backend = "tpu"}).status(),
                        absl::StatusCode::kInvalidArgument),
              HasSubstr("platform tpu"));
}

TEST(DefaultMesh, RefusesWhatHasNoDefault_T11) {
  const auto message = [](int64_t num_partitions, const World& world) {
    return MessageOf(BuildDefaultMesh(num_partitions, world).status(),
                     absl::StatusCode::kInvalidArgument);
  };
  EXPECT_THAT(message(3, V3World()),
              AllOf(HasSubstr("platform tpu"), HasSubstr("TPU v3"),
                    HasSubstr("3 partitions"), HasSubstr("(4, 4, 1, 2)"),
                    HasSubstr("submesh may be given")));
  EXPECT_THAT(message(4, *TorusWorld({.chips = {2, 2, 1},
                                      .cores_per_chip = 2,
                                      .host_chips = {2, 2, 1},
                                      .kind = "TPU v4"})),
              AllOf(HasSubstr("TPU v4"), HasSubstr("(2, 2, 1, 2)")));
  EXPECT_THAT(message(4, *FlatWorld({.platform = "tpu", .kind = "TPU v4"})),
              HasSubstr("(1, 1)"));
  EXPECT_THAT(message(1, *FlatWorld({.platform = "npu", .kind = "N1"})),
              AllOf(HasSubstr("platform npu"), HasSubstr("kind N1")));
  EXPECT_THAT(message(1, World()), HasSubstr("no devices"));
}

}  // namespace
}  // namespace lockstep::internal
