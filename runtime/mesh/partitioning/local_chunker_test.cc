// T-12, T-13, T-14 and T-15 of docs/behaviour/partitioning.md.
#include "runtime/mesh/partitioning/local_chunker.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/builders/builders_testing.h"
#include "runtime/mesh/builders/gpu_mesh.h"
#include "runtime/mesh/builders/hybrid_mesh.h"
#include "runtime/mesh/builders/submesh_mesh.h"
#include "runtime/mesh/mesh_testing.h"
#include "runtime/mesh/partitioning/partitioning_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

Mesh V3Mesh(const std::vector<int64_t>& submesh) {
  return *BuildSubmeshMesh(submesh, V3World());
}

// "(0:32, 0:16) 0": slice and replica id.
std::string Chunk(const LocalChunker& chunker,
                  const std::vector<int64_t>& shape,
                  const PartitionSpec& axes) {
  const auto info = chunker.ChunkInfo(shape, axes);
  EXPECT_TRUE(info.ok()) << info.status();
  if (!info.ok()) return "";
  return absl::StrCat(ShardIndexText(info->slice), " ", info->replica_id);
}

// Two slices of 8 GPUs, two hosts of 4 each.
Mesh SlicesMesh() {
  auto grid =
      BuildHybridMesh({1, 4, 2}, {2, 1, 1}, GpuWorld(4, 4, 2).devices());
  return *Mesh::Create(*std::move(grid), {"replica", "data", "model"});
}

struct HostCase {
  int32_t host;
  std::vector<int64_t> num_chunks;
  std::vector<int64_t> chunk_ids;
  std::string both;   // (128, 16) over data, model
  std::string model;  // (128, 16) over None, model
  int64_t rid_of_none;
  int64_t rid_of_data;
};

TEST(LocalChunker, ChunksOfTiledHosts_T12_T13_T15) {
  const HostCase cases[] = {
      {0, {4, 1}, {0, 0}, "(0:32, 0:16) 0", "(ALL, 0:16) 0", 0, 0},
      {1, {4, 1}, {2, 0}, "(64:96, 0:16) 0", "(ALL, 0:16) 2", 2, 0},
      {2, {4, 1}, {1, 0}, "(32:64, 0:16) 0", "(ALL, 0:16) 1", 1, 0},
      {3, {4, 1}, {3, 0}, "(96:128, 0:16) 0", "(ALL, 0:16) 3", 3, 0},
  };
  for (const HostCase& c : cases) {
    SCOPED_TRACE(c.host);
    const LocalChunker chunker = ChunkerOf(V3Mesh({2, 1, 1, 2}), c.host);
    EXPECT_EQ(chunker.num_chunks(), absl::MakeConstSpan(c.num_chunks));
    EXPECT_EQ(chunker.chunk_ids(), absl::MakeConstSpan(c.chunk_ids));
    EXPECT_EQ(Chunk(chunker, {128, 16}, PartitionSpec("data", "model")),
              c.both);
    EXPECT_EQ(Chunk(chunker, {128, 16}, PartitionSpec(nullptr, "model")),
              c.model);
    EXPECT_EQ(chunker.ReplicaId(nullptr).value(), c.rid_of_none);
    EXPECT_EQ(chunker.ReplicaId("data").value(), c.rid_of_data);
  }
}

TEST(LocalChunker, ChunksOfHostsInTwoAxes_T12_T13_T15) {
  const HostCase cases[] = {
      {0, {2, 2}, {0, 0}, "(0:64, 0:8) 0", "(ALL, 0:8) 0", 0, 0},
      {1, {2, 2}, {0, 1}, "(0:64, 8:16) 0", "(ALL, 8:16) 0", 1, 1},
      {2, {2, 2}, {1, 0}, "(64:128, 0:8) 0", "(ALL, 0:8) 1", 2, 0},
      {3, {2, 2}, {1, 1}, "(64:128, 8:16) 0", "(ALL, 8:16) 1", 3, 1},
  };
  for (const auto& submesh :
       {std::vector<int64_t>{4, 2, 1, 2}, std::vector<int64_t>{4, 1, 1, 2}}) {
    for (const HostCase& c : cases) {
      SCOPED_TRACE(c.host);
      const LocalChunker chunker = ChunkerOf(V3Mesh(submesh), c.host);
      EXPECT_EQ(chunker.num_chunks(), absl::MakeConstSpan(c.num_chunks));
      EXPECT_EQ(chunker.chunk_ids(), absl::MakeConstSpan(c.chunk_ids));
      EXPECT_EQ(Chunk(chunker, {128, 16}, PartitionSpec("data", "model")),
                c.both);
      EXPECT_EQ(Chunk(chunker, {128, 16}, PartitionSpec(nullptr, "model")),
                c.model);
      EXPECT_EQ(chunker.ReplicaId(nullptr).value(), c.rid_of_none);
      EXPECT_EQ(chunker.ReplicaId("data").value(), c.rid_of_data);
    }
  }
  const LocalChunker other = ChunkerOf(V3Mesh({1, 4, 1, 2}), 1);
  EXPECT_EQ(other.NumChunks("data").value(), 2);
  EXPECT_EQ(other.ChunkId("data").value(), 1);
  EXPECT_EQ(other.NumChunks("model").value(), 2);
  EXPECT_EQ(other.ChunkId("model").value(), 0);
  EXPECT_EQ(Chunk(other, {128, 16}, PartitionSpec("data", "model")),
            "(64:128, 0:8) 0");
  EXPECT_EQ(Chunk(other, {128, 16}, PartitionSpec(nullptr, "model")),
            "(ALL, 0:8) 1");
  EXPECT_EQ(other.ReplicaId(nullptr).value(), 2);
  EXPECT_EQ(other.ReplicaId("data").value(), 0);
}

TEST(LocalChunker, ChunksOfGpus_T12) {
  const struct {
    int32_t hosts;
    int32_t devices;
    int64_t partitions;
    std::vector<int64_t> num_chunks;
  } cases[] = {{2, 8, 1, {2, 1}}, {2, 8, 2, {2, 1}},  {2, 8, 4, {2, 1}},
               {2, 8, 8, {2, 1}}, {2, 8, 16, {1, 2}}, {4, 2, 4, {2, 2}},
               {4, 2, 8, {1, 4}}};
  for (const auto& c : cases) {
    const Mesh mesh = *BuildGpuMesh(c.partitions, GpuWorld(c.hosts, c.devices));
    for (int32_t host = 0; host < c.hosts; ++host) {
      EXPECT_EQ(ChunkerOf(mesh, host).num_chunks(),
                absl::MakeConstSpan(c.num_chunks))
          << c.partitions;
    }
  }
  const Mesh row = *BuildGpuMesh(16, GpuWorld(2, 8));
  EXPECT_THAT(ChunkerOf(row, 1).chunk_ids(), ElementsAre(0, 1));
}

TEST(LocalChunker, ThreeAxes_T13_T14_T15) {
  const std::vector<int64_t> by_replica = {0, 1, 2, 3};
  const std::vector<int64_t> by_data = {0, 2, 1, 3};
  const std::string split[] = {"(0:32, 0:32) 0", "(32:64, 0:32) 0",
                               "(0:32, 0:32) 1", "(32:64, 0:32) 1"};
  for (int32_t host = 0; host < 4; ++host) {
    SCOPED_TRACE(host);
    const LocalChunker chunker = ChunkerOf(SlicesMesh(), host);
    EXPECT_THAT(chunker.chunk_ids(), ElementsAre(host / 2, host % 2, 0));
    EXPECT_EQ(chunker.ShardId(AxisTuple{"replica", "data"}).value(),
              by_replica[host]);
    EXPECT_EQ(chunker.ShardId(AxisTuple{"data", "replica"}).value(),
              by_data[host]);
    EXPECT_EQ(chunker.ShardId("data").value(), host % 2);
    EXPECT_EQ(chunker.ShardId(nullptr).value(), 0);
    EXPECT_EQ(chunker.ReplicaId(AxisTuple{"replica", "data"}).value(), 0);
    EXPECT_EQ(Chunk(chunker, {64, 32}, PartitionSpec("data", "model")),
              split[host]);
    EXPECT_EQ(Chunk(chunker, {64, 32}, PartitionSpec(nullptr, "model")),
              absl::StrCat("(ALL, 0:32) ", host));
  }
}

TEST(LocalChunker, RowsThatChunksDoNotDivideAreLost_T13) {
  const LocalChunker chunker = ChunkerOf(*BuildGpuMesh(2, GpuWorld(4, 2)), 3);
  CapturedLog log;
  EXPECT_EQ(Chunk(chunker, {10}, PartitionSpec("data")), "(6:8) 0");
  EXPECT_THAT(log.warnings(),
              AllOf(HasSubstr("dimension 0"), HasSubstr("(10,)"),
                    HasSubstr("4 chunks"), HasSubstr("last 2 rows")));
}

TEST(LocalChunker, RowsThatAreDividedWarnOfNothing_T13) {
  CapturedLog log;
  const LocalChunker chunker = ChunkerOf(*BuildGpuMesh(2, GpuWorld(4, 2)), 3);
  EXPECT_EQ(Chunk(chunker, {8, 3}, PartitionSpec("data")), "(6:8, ALL) 0");
  EXPECT_EQ(Chunk(chunker, {0}, PartitionSpec("data")), "(0:0) 0");
  EXPECT_EQ(log.warnings(), "");
}

TEST(LocalChunker, TheShorterOfShapeAndSpecCounts_T13) {
  const LocalChunker chunker = ChunkerOf(SlicesMesh(), 3);
  EXPECT_EQ(Chunk(chunker, {64, 32, 5}, PartitionSpec("data")),
            "(32:64, ALL, ALL) 1");
  EXPECT_EQ(Chunk(chunker, {64}, PartitionSpec("data", "replica")),
            "(32:64) 1");
  EXPECT_EQ(Chunk(chunker, {}, PartitionSpec("data")), "() 3");
}

TEST(LocalChunker, RefusesWhatIsNotOneAxis_T13) {
  const LocalChunker chunker = ChunkerOf(SlicesMesh(), 0);
  EXPECT_THAT(
      MessageOf(
          chunker
              .ChunkInfo({64, 64},
                         PartitionSpec(nullptr, AxisTuple{"replica", "data"}))
              .status(),
          absl::StatusCode::kUnimplemented),
      AllOf(HasSubstr("dimension 1"), HasSubstr("found ('replica', 'data')")));
  EXPECT_THAT(
      MessageOf(chunker.ChunkInfo({64}, PartitionSpec(kUnconstrained)).status(),
                absl::StatusCode::kUnimplemented),
      HasSubstr("UNCONSTRAINED"));
  EXPECT_THAT(MessageOf(chunker.ChunkInfo({-1}, PartitionSpec("data")).status(),
                        kInvalid),
              HasSubstr("(-1,)"));
}

TEST(LocalChunker, RefusesAxesThatAreNotThere_T13_T14_T15) {
  const LocalChunker chunker = ChunkerOf(SlicesMesh(), 0);
  const auto names_all =
      AllOf(HasSubstr("'foo'"), HasSubstr("'replica'"), HasSubstr("'data'"));
  EXPECT_THAT(MessageOf(chunker.ChunkInfo({8}, PartitionSpec("foo")).status(),
                        kInvalid),
              names_all);
  EXPECT_THAT(MessageOf(chunker.ShardId("foo").status(), kInvalid), names_all);
  EXPECT_THAT(MessageOf(chunker.ReplicaId("foo").status(), kInvalid),
              names_all);
  EXPECT_THAT(MessageOf(chunker.NumChunks("foo").status(), kInvalid),
              HasSubstr("'foo'"));
  EXPECT_THAT(MessageOf(chunker.ChunkId("foo").status(), kInvalid),
              HasSubstr("'foo'"));
  EXPECT_THAT(
      MessageOf(chunker.ShardId(AxisTuple{"data", "data"}).status(), kInvalid),
      HasSubstr("twice"));
}

TEST(LocalChunker, RefusesAHostThatIsNoBox_T12) {
  // Without tiles: hosts have pieces of two rows.
  const Mesh mesh = *BuildSubmeshMesh({1, 1, 1, 2}, V3World(),
                                      {.tile_by_host_if_needed = false});
  for (int32_t host = 0; host < 4; ++host) {
    EXPECT_THAT(
        MessageOf(LocalChunker::Create(mesh, HostId(host)).status(), kInvalid),
        AllOf(HasSubstr("of host 0 are not a box"), HasSubstr("of host 2")));
  }
  EXPECT_THAT(MessageOf(LocalChunker::Create(mesh, HostId(7)).status(),
                        absl::StatusCode::kFailedPrecondition),
              HasSubstr("host 7"));
}

TEST(LocalChunker, HostsOfDifferentSizesGetOneError_T12) {
  // 5 rows are no multiple of 2; 4 columns are one of 1 and of 2.
  const Mesh rows =
      MeshOf(World::HostMajor({2, 2, 1}), {5, 1}, {"data", "model"});
  const Mesh columns =
      MeshOf(World::HostMajor({1, 1, 2}), {1, 4}, {"data", "model"});
  for (int32_t host = 0; host < 3; ++host) {
    EXPECT_THAT(
        MessageOf(LocalChunker::Create(rows, HostId(host)).status(), kInvalid),
        HasSubstr("along axis 'data' host 0 has 2, host 2 has 1"));
    EXPECT_THAT(MessageOf(LocalChunker::Create(columns, HostId(host)).status(),
                          kInvalid),
                HasSubstr("along axis 'model' host 0 has 1, host 2 has 2"));
  }
}

}  // namespace
}  // namespace lockstep::internal
