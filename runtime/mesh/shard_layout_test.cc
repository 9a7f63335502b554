// B-2, B-3 of docs/behaviour/meshes.md.
#include "runtime/mesh/shard_layout.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/mesh_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr IndexSlice kAll = IndexSlice::All();

Mesh DataModelMesh() {
  return MeshOf(WorldOf(1, 8), {4, 2}, {"data", "model"});
}

struct Case {
  PartitionSpec spec;
  std::vector<int64_t> shape;
  std::vector<ShardIndex> indices;  // of devices 0 .. 7
  std::vector<int64_t> replica_ids;
};

TEST(ShardLayout, GoldenValuesOfDataAndModel_B2) {
  const auto rows = [](int64_t start, int64_t stop) {
    return ShardIndex{{start, stop}, kAll};
  };
  const auto columns = [](int64_t start, int64_t stop) {
    return ShardIndex{kAll, {start, stop}};
  };
  const auto line = [](int64_t start) {
    return ShardIndex{{start, start + 2}};
  };
  const auto block = [](int64_t row, int64_t column) {
    return ShardIndex{{row, row + 8}, {column, column + 4}};
  };
  const std::vector<int64_t> zeros(8, 0);
  const Case cases[] = {
      {PartitionSpec("data", nullptr),
       {16, 128},
       {rows(0, 4), rows(0, 4), rows(4, 8), rows(4, 8), rows(8, 12),
        rows(8, 12), rows(12, 16), rows(12, 16)},
       {0, 1, 0, 1, 0, 1, 0, 1}},
      {PartitionSpec(nullptr, "model"),
       {128, 256},
       {columns(0, 128), columns(128, 256), columns(0, 128), columns(128, 256),
        columns(0, 128), columns(128, 256), columns(0, 128), columns(128, 256)},
       {0, 0, 1, 1, 2, 2, 3, 3}},
      {PartitionSpec(AxisTuple{"model", "data"}),
       {16},
       {line(0), line(8), line(2), line(10), line(4), line(12), line(6),
        line(14)},
       zeros},
      {PartitionSpec(AxisTuple{"data", "model"}),
       {16},
       {line(0), line(2), line(4), line(6), line(8), line(10), line(12),
        line(14)},
       zeros},
      {PartitionSpec("model", "data"),
       {16, 16},
       {block(0, 0), block(8, 0), block(0, 4), block(8, 4), block(0, 8),
        block(8, 8), block(0, 12), block(8, 12)},
       zeros},
      {PartitionSpec(),
       {3},
       std::vector<ShardIndex>(8, {kAll}),
       {0, 1, 2, 3, 4, 5, 6, 7}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.spec.ToString());
    const NamedSharding sharding = ShardingOf(DataModelMesh(), c.spec);
    const auto slices = *DeviceSlices(sharding, c.shape);
    ASSERT_EQ(slices.size(), 8u);
    for (int32_t i = 0; i < 8; ++i) {
      EXPECT_EQ(slices[i].first, GlobalDeviceId(i));
      EXPECT_EQ(slices[i].second, c.indices[i]) << i;
      EXPECT_EQ(*ReplicaId(sharding, c.shape, GlobalDeviceId(i)),
                c.replica_ids[i]);
    }
  }
}

// "d5 0:2,ALL r0; ": the device, its slices, its replica id.
std::string TableText(const NamedSharding& sharding,
                      absl::Span<const int64_t> shape) {
  const ShardLayout layout = *ShardLayout::Create(sharding, shape);
  const std::vector<int64_t> replica_ids = layout.ReplicaIds();
  std::string text;
  for (int64_t i = 0; i < layout.device_count(); ++i) {
    absl::StrAppend(&text, "d", sharding.mesh().devices()[i].id.value(), " ",
                    absl::StrJoin(layout.Index(i), ",",
                                  [](std::string* out, IndexSlice slice) {
                                    absl::StrAppend(out, slice.ToString());
                                  }),
                    " r", replica_ids[i], "; ");
  }
  return text;
}

// 24 devices in the order 5, 12, 19, ... (7 i + 5 modulo 24).
Mesh ShuffledMesh(std::vector<int64_t> dims, std::vector<std::string> names) {
  std::vector<int32_t> ids;
  for (int32_t i = 0; i < 24; ++i) ids.push_back((7 * i + 5) % 24);
  return MeshOf(WorldOf(1, 24), ids, std::move(dims), std::move(names));
}

// Values of JAX 0.10.2: devices_indices_map and Shard.replica_id.
TEST(ShardLayout, AgreesWithJaxOnShuffledDevices_B2) {
  EXPECT_EQ(
      TableText(ShardingOf(ShuffledMesh({2, 3, 4}, {"x", "y", "z"}),
                           PartitionSpec(AxisTuple{"z", "x"}, nullptr, "y")),
                {16, 5, 6}),
      "d5 0:2,ALL,0:2 r0; d12 4:6,ALL,0:2 r0; d19 8:10,ALL,0:2 r0; "
      "d2 12:14,ALL,0:2 r0; d9 0:2,ALL,2:4 r0; d16 4:6,ALL,2:4 r0; "
      "d23 8:10,ALL,2:4 r0; d6 12:14,ALL,2:4 r0; d13 0:2,ALL,4:6 r0; "
      "d20 4:6,ALL,4:6 r0; d3 8:10,ALL,4:6 r0; d10 12:14,ALL,4:6 r0; "
      "d17 2:4,ALL,0:2 r0; d0 6:8,ALL,0:2 r0; d7 10:12,ALL,0:2 r0; "
      "d14 14:16,ALL,0:2 r0; d21 2:4,ALL,2:4 r0; d4 6:8,ALL,2:4 r0; "
      "d11 10:12,ALL,2:4 r0; d18 14:16,ALL,2:4 r0; d1 2:4,ALL,4:6 r0; "
      "d8 6:8,ALL,4:6 r0; d15 10:12,ALL,4:6 r0; d22 14:16,ALL,4:6 r0; ");
  EXPECT_EQ(TableText(ShardingOf(ShuffledMesh({2, 3, 4}, {"x", "y", "z"}),
                                 PartitionSpec("y")),
                      {9, 2}),
            "d5 0:3,ALL r0; d12 0:3,ALL r1; d19 0:3,ALL r2; d2 0:3,ALL r3; "
            "d9 3:6,ALL r0; d16 3:6,ALL r1; d23 3:6,ALL r2; d6 3:6,ALL r3; "
            "d13 6:9,ALL r0; d20 6:9,ALL r1; d3 6:9,ALL r2; d10 6:9,ALL r3; "
            "d17 0:3,ALL r4; d0 0:3,ALL r5; d7 0:3,ALL r6; d14 0:3,ALL r7; "
            "d21 3:6,ALL r4; d4 3:6,ALL r5; d11 3:6,ALL r6; d18 3:6,ALL r7; "
            "d1 6:9,ALL r4; d8 6:9,ALL r5; d15 6:9,ALL r6; d22 6:9,ALL r7; ");
  EXPECT_EQ(
      TableText(ShardingOf(ShuffledMesh({4, 3, 2}, {"a", "b", "c"}),
                           PartitionSpec(nullptr, AxisTuple{"c", "b"})),
                {1, 12}),
      "d5 ALL,0:2 r0; d12 ALL,6:8 r0; d19 ALL,2:4 r0; d2 ALL,8:10 r0; "
      "d9 ALL,4:6 r0; d16 ALL,10:12 r0; d23 ALL,0:2 r1; d6 ALL,6:8 r1; "
      "d13 ALL,2:4 r1; d20 ALL,8:10 r1; d3 ALL,4:6 r1; d10 ALL,10:12 r1; "
      "d17 ALL,0:2 r2; d0 ALL,6:8 r2; d7 ALL,2:4 r2; d14 ALL,8:10 r2; "
      "d21 ALL,4:6 r2; d4 ALL,10:12 r2; d11 ALL,0:2 r3; d18 ALL,6:8 r3; "
      "d1 ALL,2:4 r3; d8 ALL,8:10 r3; d15 ALL,4:6 r3; d22 ALL,10:12 r3; ");
  EXPECT_EQ(TableText(ShardingOf(ShuffledMesh({24, 1}, {"a", "b"}),
                                 PartitionSpec("b", "a")),
                      {3, 48}),
            "d5 ALL,0:2 r0; d12 ALL,2:4 r0; d19 ALL,4:6 r0; d2 ALL,6:8 r0; "
            "d9 ALL,8:10 r0; d16 ALL,10:12 r0; d23 ALL,12:14 r0; "
            "d6 ALL,14:16 r0; d13 ALL,16:18 r0; d20 ALL,18:20 r0; "
            "d3 ALL,20:22 r0; d10 ALL,22:24 r0; d17 ALL,24:26 r0; "
            "d0 ALL,26:28 r0; d7 ALL,28:30 r0; d14 ALL,30:32 r0; "
            "d21 ALL,32:34 r0; d4 ALL,34:36 r0; d11 ALL,36:38 r0; "
            "d18 ALL,38:40 r0; d1 ALL,40:42 r0; d8 ALL,42:44 r0; "
            "d15 ALL,44:46 r0; d22 ALL,46:48 r0; ");
}

TEST(ShardLayout, ShardsOfAnEmptyDimensionAreOneEmptyPart) {
  EXPECT_EQ(TableText(ShardingOf(MeshOf(WorldOf(1, 4), {2, 2}, {"x", "y"}),
                                 PartitionSpec("x", "y")),
                      {0, 4}),
            "d0 0:0,0:2 r0; d1 0:0,2:4 r0; d2 0:0,0:2 r1; d3 0:0,2:4 r1; ");
}

TEST(ShardLayout, ReplicaIdRefusesADeviceThatIsNotInTheMesh) {
  const absl::Status status =
      ReplicaId(ShardingOf(DataModelMesh(), PartitionSpec()), {8},
                GlobalDeviceId(8))
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("device 8"));
}

// All specs of two dimensions over the axes of a mesh, in all orders.
std::vector<PartitionSpec> AllSpecs(std::vector<std::string> axes) {
  std::sort(axes.begin(), axes.end());
  std::vector<PartitionSpec> specs;
  do {
    for (size_t first = 0; first <= axes.size(); ++first) {
      for (size_t second = first; second <= axes.size(); ++second) {
        specs.push_back(PartitionSpec(
            AxisTuple({axes.begin(), axes.begin() + first}),
            AxisTuple({axes.begin() + first, axes.begin() + second})));
      }
    }
  } while (std::next_permutation(axes.begin(), axes.end()));
  return specs;
}

// Every element is held by equally many devices, whose replica ids are 0, 1,
// ..; devices hold the same part exactly if they differ only in axes that shard
// nothing.
TEST(ShardLayout, ShardsTileTheArrayAndReplicasAreEqual_B3) {
  const std::vector<int64_t> dims = {2, 3, 2};
  const std::vector<int64_t> shape = {12, 12};
  const Mesh mesh = MeshOf(WorldOf(1, 12), dims, {"a", "b", "c"});
  for (const PartitionSpec& spec : AllSpecs({"a", "b", "c"})) {
    SCOPED_TRACE(spec.ToString());
    const ShardLayout layout =
        *ShardLayout::Create(ShardingOf(mesh, spec), shape);
    const std::vector<int64_t> replica_ids = layout.ReplicaIds();
    std::vector<std::vector<int64_t>> holders(144);
    for (int64_t i = 0; i < 12; ++i) {
      const ShardIndex index = layout.Index(i);
      int64_t elements = 0;
      for (int64_t r = index[0].start(); r < index[0].stop(12); ++r) {
        for (int64_t c = index[1].start(); c < index[1].stop(12); ++c) {
          holders[r * 12 + c].push_back(replica_ids[i]);
          ++elements;
        }
      }
      EXPECT_EQ(elements, layout.shard_shape()[0] * layout.shard_shape()[1]);
    }
    const int64_t copies = 12 / layout.shard_count();
    std::vector<int64_t> expected(copies);
    std::iota(expected.begin(), expected.end(), 0);
    for (const std::vector<int64_t>& holder : holders) {
      EXPECT_EQ(holder, expected);
    }
  }
}

TEST(ShardLayout, NumbersAscendLikeTheParts) {
  const Mesh mesh = MeshOf(WorldOf(1, 12), {2, 3, 2}, {"a", "b", "c"});
  for (const PartitionSpec& spec : AllSpecs({"a", "b", "c"})) {
    const ShardLayout layout =
        *ShardLayout::Create(ShardingOf(mesh, spec), {12, 12});
    for (int64_t i = 0; i < 12; ++i) {
      for (int64_t j = 0; j < 12; ++j) {
        EXPECT_EQ(layout.shard_numbers()[i] < layout.shard_numbers()[j],
                  layout.Index(i) < layout.Index(j));
      }
    }
  }
}

TEST(IndexSlice, AllComesFirst) {
  EXPECT_LT(IndexSlice::All(), IndexSlice(0, 1));
  EXPECT_LT(IndexSlice(0, 1), IndexSlice(0, 2));
  EXPECT_LT(IndexSlice(0, 2), IndexSlice(1, 2));
  EXPECT_EQ(ShardIndexText({{0, 4}, IndexSlice::All()}), "(0:4, ALL)");
}

}  // namespace
}  // namespace lockstep::internal
