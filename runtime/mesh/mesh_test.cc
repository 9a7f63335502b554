// B-4, B-5 of docs/behaviour/meshes.md, and the errors of making a mesh.
#include "runtime/mesh/mesh.h"

#include <cstdint>
#include <sstream>
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
using ::testing::IsEmpty;

std::string MessageOf(const absl::Status& status, absl::StatusCode code) {
  EXPECT_EQ(status.code(), code) << status;
  return std::string(status.message());
}

TEST(Mesh, IsPrintedAsInJax) {
  const Mesh mesh = MeshOf(WorldOf(1, 8), {4, 2}, {"data", "model"});
  EXPECT_EQ(mesh.ToString(), "Mesh('data': 4, 'model': 2)");
  EXPECT_EQ(mesh.ShapeToString(), "OrderedDict([('data', 4), ('model', 2)])");
  EXPECT_EQ(mesh.abstract().ToString(), "AbstractMesh('data': 4, 'model': 2)");
  EXPECT_EQ(mesh.size(), 8);
  EXPECT_FALSE(mesh.empty());
}

TEST(Mesh, WithoutAxesIsEmptyAndHasSizeZero) {
  const Mesh mesh = *Mesh::Create({}, {});
  EXPECT_EQ(mesh, Mesh());
  EXPECT_TRUE(mesh.empty());
  EXPECT_EQ(mesh.size(), 0);
  EXPECT_THAT(mesh.devices(), IsEmpty());
  EXPECT_EQ(mesh.ToString(), "Mesh()");
  EXPECT_EQ(mesh.ShapeToString(), "OrderedDict()");
}

TEST(Mesh, RefusesWhatIsNoGridOfDevicesWithNames) {
  const std::vector<Device> devices = WorldOf(1, 8).devices();
  const auto error = [&](std::vector<int64_t> dims,
                         std::vector<std::string> names) {
    return MessageOf(
        Mesh::Create({std::move(dims), devices}, std::move(names)).status(),
        absl::StatusCode::kInvalidArgument);
  };
  EXPECT_THAT(error({4, 2}, {"x"}),
              AllOf(HasSubstr("2 dimensions"), HasSubstr("1 axis names")));
  EXPECT_THAT(error({4, 2}, {"x", "x"}), HasSubstr("'x' occurs twice"));
  EXPECT_THAT(error({4, 2}, {"x", ""}), HasSubstr("'' has no name"));
  EXPECT_THAT(error({8, 0}, {"x", "y"}), HasSubstr("'y' has a size below 1"));
  EXPECT_THAT(error({3, 3}, {"x", "y"}),
              AllOf(HasSubstr("(3, 3) takes 9"), HasSubstr("found 8")));
  EXPECT_THAT(error({}, {}), AllOf(HasSubstr("takes 0"), HasSubstr("found 8")));
  EXPECT_THAT(error({int64_t{1} << 40, int64_t{1} << 40}, {"x", "y"}),
              HasSubstr("more devices than 64 bits count"));
  const Device& d0 = devices[0];
  EXPECT_THAT(MessageOf(Mesh::Create({{2}, {d0, d0}}, {"x"}).status(),
                        absl::StatusCode::kInvalidArgument),
              HasSubstr("device 0 occurs twice"));
}

TEST(Mesh, IsEqualByAxesAndDevices) {
  const World world = WorldOf(1, 8);
  const Mesh mesh = MeshOf(world, {4, 2}, {"x", "y"});
  EXPECT_EQ(mesh, MeshOf(world, {4, 2}, {"x", "y"}));
  EXPECT_NE(mesh, MeshOf(world, {2, 4}, {"x", "y"}));
  EXPECT_NE(mesh, MeshOf(world, {4, 2}, {"x", "z"}));
  EXPECT_NE(mesh, MeshOf(world, {1, 0, 2, 3, 4, 5, 6, 7}, {4, 2}, {"x", "y"}));
}

TEST(Mesh, LocalDevicesAreInTheOrderOfTheMesh_B4) {
  const World world = WorldOf(2, 4);
  const Mesh mesh = MeshOf(world, {7, 0, 5, 2, 6, 3, 4, 1}, {2, 4}, {"x", "y"});
  EXPECT_THAT(IdsOf(mesh.LocalDevices(HostId(0))), ElementsAre(0, 2, 3, 1));
  EXPECT_THAT(IdsOf(mesh.LocalDevices(HostId(1))), ElementsAre(7, 5, 6, 4));
  EXPECT_THAT(mesh.LocalDevices(HostId(2)), IsEmpty());
  EXPECT_THAT(mesh.hosts(), ElementsAre(HostId(1), HostId(0)));
  EXPECT_EQ(mesh.PositionOf(GlobalDeviceId(5)), 2);
  EXPECT_EQ(mesh.PositionOf(GlobalDeviceId(8)), std::nullopt);
}

TEST(Mesh, LocalMeshIsTheHullOfTheHost_B5) {
  const World world = WorldOf(4, 4);
  const Mesh mesh =
      MeshOf(world, {0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15},
             {4, 4}, {"x", "y"});
  EXPECT_THAT(*mesh.LocalHull(HostId(3)),
              ElementsAre(AxisRange{2, 4}, AxisRange{2, 4}));
  const Mesh local = *mesh.LocalMesh(HostId(1));
  EXPECT_EQ(local.ToString(), "Mesh('x': 2, 'y': 2)");
  EXPECT_THAT(IdsOf(local.devices()), ElementsAre(4, 5, 6, 7));
}

TEST(Mesh, LocalMeshRefusesAHostThatIsNoBox_B5) {
  const Mesh mesh = MeshOf(WorldOf(2, 4), {0, 4, 1, 5}, {4}, {"x"});
  EXPECT_THAT(MessageOf(mesh.LocalMesh(HostId(0)).status(),
                        absl::StatusCode::kInvalidArgument),
              AllOf(HasSubstr("host 0"), HasSubstr("[0, 3)"),
                    HasSubstr("device 4 of host 1")));
  EXPECT_THAT(MessageOf(mesh.LocalMesh(HostId(1)).status(),
                        absl::StatusCode::kInvalidArgument),
              AllOf(HasSubstr("host 1"), HasSubstr("[1, 4)"),
                    HasSubstr("device 1 of host 0")));
}

TEST(Mesh, LocalMeshRefusesAHostThatHasNoDevice_B5) {
  const Mesh mesh = MeshOf(WorldOf(3, 2), {0, 1, 4, 5}, {4}, {"x"});
  EXPECT_THAT(MessageOf(mesh.LocalMesh(HostId(1)).status(),
                        absl::StatusCode::kFailedPrecondition),
              AllOf(HasSubstr("host 1"), HasSubstr("hosts 0, 2")));
}

// The definition, over all ways in which two hosts share a 2×3 mesh.
TEST(Mesh, HullHoldsExactlyTheHostOrIsRefused_B5) {
  for (int pattern = 1; pattern < 63; ++pattern) {
    DeviceGrid grid{{2, 3}, {}};
    AxisRange rows{2, 0};
    AxisRange columns{3, 0};
    int count = 0;
    for (int i = 0; i < 6; ++i) {
      Device device;
      device.id = GlobalDeviceId(i);
      device.host = HostId(pattern >> i & 1);
      if (device.host == HostId(1)) {
        rows = {std::min<int64_t>(rows.start, i / 3),
                std::max<int64_t>(rows.stop, i / 3 + 1)};
        columns = {std::min<int64_t>(columns.start, i % 3),
                   std::max<int64_t>(columns.stop, i % 3 + 1)};
        ++count;
      }
      grid.devices.push_back(device);
    }
    const bool is_box =
        (rows.stop - rows.start) * (columns.stop - columns.start) == count;
    const Mesh mesh = *Mesh::Create(grid, {"x", "y"});
    const auto hull = mesh.LocalHull(HostId(1));
    ASSERT_EQ(hull.ok(), is_box) << pattern;
    if (is_box) {
      EXPECT_THAT(*hull, ElementsAre(rows, columns)) << pattern;
    }
  }
}

template <typename T>
std::string Printed(const T& value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

TEST(Mesh, IsPrintedWithItsDevicesAsInJax) {
  const Mesh mesh = MeshOf(WorldOf(1, 8), {4, 2}, {"data", "model"});
  EXPECT_EQ(Printed(mesh), "Mesh('data': 4, 'model': 2)");
  EXPECT_EQ(Printed(mesh.abstract()), "AbstractMesh('data': 4, 'model': 2)");
  EXPECT_EQ(Printed(mesh.devices()[3]), "CpuDevice(id=3)");
  Device chip = mesh.devices()[3];
  chip.platform = "tpu";
  chip.host = HostId(2);
  chip.coords = {1, 0, 2};
  chip.core = 1;
  EXPECT_EQ(Printed(chip),
            "TpuDevice(id=3, process_index=2, coords=(1,0,2), "
            "core_on_chip=1)");
  EXPECT_EQ(Printed(Device()), "Device(id=0)");
  // gtest shows them too.
  EXPECT_EQ(::testing::PrintToString(mesh), mesh.ToString());
}

TEST(AbstractMesh, NamesTheAxesThatThereAreForOneThatIsNot) {
  const AbstractMesh mesh = *AbstractMesh::Create({{"x", 2}, {"y", 3}});
  EXPECT_EQ(*mesh.AxisIndex("y"), 1);
  EXPECT_EQ(mesh.size(), 6);
  EXPECT_THAT(MessageOf(mesh.AxisIndex("z").status(),
                        absl::StatusCode::kInvalidArgument),
              AllOf(HasSubstr("'z'"), HasSubstr("('x', 'y')")));
}

}  // namespace
}  // namespace lockstep::internal
