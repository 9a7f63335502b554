// T-16 and T-17 of docs/behaviour/partitioning.md. What hosts get in a cluster
// is in tests/multihost/partitioning_test.cc.
#include "runtime/mesh/partitioning/data_layout.h"

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/builders/builders_testing.h"
#include "runtime/mesh/builders/gpu_mesh.h"
#include "runtime/mesh/builders/submesh_mesh.h"
#include "runtime/mesh/mesh_testing.h"
#include "runtime/mesh/partitioning/partitioning_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

DataLayout LayoutOf(const Mesh& mesh, int32_t host, const SpecEntry& axis,
                    int64_t batch_size = 0) {
  const auto layout = LayOutData(ChunkerOf(mesh, host), axis, batch_size);
  EXPECT_TRUE(layout.ok()) << layout.status();
  return layout.value_or(DataLayout());
}

TEST(DataMeshSize, IsTheDevicesOfTheAxes_T16) {
  const Mesh mesh =
      MeshOf(WorldOf(1, 16), {2, 4, 2}, {"replica", "data", "model"});
  EXPECT_EQ(DataMeshSize(mesh.abstract(), AxisTuple{"replica", "data"}).value(),
            8);
  EXPECT_EQ(DataMeshSize(mesh.abstract(), "data").value(), 4);
  EXPECT_EQ(DataMeshSize(mesh.abstract(), nullptr).value(), 1);
  EXPECT_THAT(
      MessageOf(DataMeshSize(mesh.abstract(), "batch").status(), kInvalid),
      HasSubstr("'batch'"));
}

TEST(DataShards, AreTheChunksOfTheAxes_T16) {
  const Mesh mesh =
      MeshOf(WorldOf(4, 8), {2, 8, 2}, {"replica", "data", "model"});
  const SpecEntry axis = AxisTuple{"replica", "data"};
  EXPECT_EQ(mesh.LocalMesh(HostId(0))->abstract().axis_sizes(),
            (std::vector<int64_t>{1, 4, 2}));
  for (int32_t host = 0; host < 4; ++host) {
    EXPECT_EQ(DataShards(ChunkerOf(mesh, host), axis).value(), 4);
    EXPECT_EQ(ChunkerOf(mesh, host).ShardId(axis).value(), host);
  }
  EXPECT_THAT(
      MessageOf(DataShards(ChunkerOf(mesh, 0), "batch").status(), kInvalid),
      HasSubstr("'batch'"));
}

TEST(DataLayout, HostsOfATorusReadTheirShards_T17) {
  const Mesh mesh = *BuildSubmeshMesh({2, 1, 1, 2}, V3World());
  const int64_t shards[] = {0, 2, 1, 3};
  for (int32_t host = 0; host < 4; ++host) {
    EXPECT_EQ(LayoutOf(mesh, host, "data", 64),
              (DataLayout{64, shards[host], 4, true}));
    EXPECT_EQ(LayoutOf(mesh, host, "data").batch_size, 8);
  }
  EXPECT_THAT(
      MessageOf(LayOutData(ChunkerOf(mesh, 0), "data", 12).status(), kInvalid),
      AllOf(HasSubstr("batch size 12"), HasSubstr("8 devices")));
}

TEST(DataLayout, HostsWithOneShardAreReplicas_T17) {
  const Mesh row = *BuildGpuMesh(16, GpuWorld(2, 8));
  EXPECT_EQ(LayoutOf(row, 0, "data"), (DataLayout{1, 0, 1, true}));
  EXPECT_EQ(LayoutOf(row, 1, "data"), (DataLayout{1, 0, 1, false}));
  const Mesh square = *BuildGpuMesh(4, GpuWorld(4, 2));
  EXPECT_EQ(LayoutOf(square, 0, "data", 6), (DataLayout{6, 0, 2, true}));
  EXPECT_EQ(LayoutOf(square, 1, "data", 6), (DataLayout{6, 0, 2, false}));
  EXPECT_EQ(LayoutOf(square, 2, "data", 6), (DataLayout{6, 1, 2, true}));
  EXPECT_EQ(LayoutOf(square, 3, "data", 6), (DataLayout{6, 1, 2, false}));
}

TEST(DataLayout, WithoutADataAxisEveryHostReadsAll_T17) {
  const Mesh mesh = *BuildGpuMesh(4, GpuWorld(4, 2));
  EXPECT_EQ(LayoutOf(mesh, 0, nullptr, 7), (DataLayout{7, 0, 1, true}));
  EXPECT_EQ(LayoutOf(mesh, 2, nullptr), (DataLayout{0, 0, 1, false}));
}

TEST(DataLayout, RefusesANegativeBatch_T17) {
  const Mesh mesh = *BuildGpuMesh(4, GpuWorld(4, 2));
  EXPECT_THAT(
      MessageOf(LayOutData(ChunkerOf(mesh, 0), "data", -4).status(), kInvalid),
      HasSubstr("-4"));
}

}  // namespace
}  // namespace lockstep::internal
