// M-9 of docs/behaviour/multihost.md: what moves when an array is resharded.
#include "runtime/mesh/reshard_plan.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/mesh/mesh_testing.h"
#include "runtime/mesh/shard_layout.h"

namespace lockstep::internal {
namespace {

using Sizes = std::vector<int64_t>;

int64_t Count(absl::Span<const int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape) count *= size;
  return count;
}

// The indices of the elements of a row-major box, in order.
std::vector<Sizes> IndicesOf(absl::Span<const int64_t> shape) {
  std::vector<Sizes> indices;
  for (int64_t i = 0; i < Count(shape); ++i) {
    Sizes& index = indices.emplace_back(shape.size());
    int64_t rest = i;
    for (size_t dim = shape.size(); dim-- > 0;) {
      index[dim] = rest % shape[dim];
      rest /= shape[dim];
    }
  }
  return indices;
}

Sizes Sum(const Sizes& a, const Sizes& b) {
  Sizes sum = a;
  for (size_t i = 0; i < b.size(); ++i) sum[i] += b[i];
  return sum;
}

// The elements of a shard: where each of them is in the array.
std::map<Sizes, Sizes> ShardOf(const ShardLayout& layout, int64_t position) {
  Sizes start;
  for (IndexSlice slice : layout.Index(position)) {
    start.push_back(slice.start());
  }
  std::map<Sizes, Sizes> elements;
  for (const Sizes& index : IndicesOf(layout.shard_shape())) {
    elements[index] = Sum(start, index);
  }
  return elements;
}

// Carries out the plan on arrays of indices, and expects every new shard to
// have what is its own.
void ExpectGivesNewShards(const NamedSharding& from, const NamedSharding& to,
                          const Sizes& shape) {
  const std::string what =
      from.spec().ToString() + " to " + to.spec().ToString();
  const auto plan = ReshardPlan::Create(from, to, shape);
  ASSERT_TRUE(plan.ok()) << plan.status();
  const ShardLayout before = *ShardLayout::Create(from, shape);
  const ShardLayout after = *ShardLayout::Create(to, shape);
  std::vector<std::map<Sizes, Sizes>> results(plan->rank_count());
  for (const ReshardPlan::Round& round : plan->rounds()) {
    std::set<int32_t> sources;
    std::set<int32_t> targets;
    for (const ReshardPlan::Piece& piece : round) {
      EXPECT_TRUE(sources.insert(piece.source).second) << what;
      EXPECT_TRUE(targets.insert(piece.target).second) << what;
      const auto old = ShardOf(
          before, *from.mesh().PositionOf(plan->devices()[piece.source].id));
      for (const Sizes& index : IndicesOf(plan->piece_shape())) {
        const auto element = old.find(Sum(plan->SourceStarts(piece), index));
        ASSERT_NE(element, old.end()) << what;
        const bool is_new =
            results[piece.target]
                .emplace(Sum(plan->TargetStarts(piece), index), element->second)
                .second;
        EXPECT_TRUE(is_new) << what;
      }
    }
  }
  if (Count(shape) == 0) return;
  ASSERT_EQ(plan->target_count(), to.mesh().size());
  for (int64_t rank = 0; rank < plan->rank_count(); ++rank) {
    const auto expected = rank < plan->target_count()
                              ? ShardOf(after, rank)
                              : std::map<Sizes, Sizes>();
    EXPECT_EQ(results[rank], expected) << what << ", rank " << rank;
  }
}

TEST(ReshardPlan, EveryShardGetsItsElements) {
  const World world = WorldOf(2, 4);
  const Mesh rows = MeshOf(world, {2, 4}, {"x", "y"});
  const Mesh mixed =
      MeshOf(world, {5, 0, 7, 2, 1, 4, 3, 6}, {4, 2}, {"x", "y"});
  const PartitionSpec specs[] = {
      PartitionSpec(),
      PartitionSpec("x"),
      PartitionSpec("y"),
      PartitionSpec(nullptr, "x"),
      PartitionSpec("x", "y"),
      PartitionSpec("y", "x"),
      PartitionSpec(AxisTuple{"x", "y"}),
      PartitionSpec(AxisTuple{"y", "x"}),
      PartitionSpec(nullptr, AxisTuple{"x", "y"}),
  };
  for (const Mesh& from : {rows, mixed}) {
    for (const Mesh& to : {rows, mixed}) {
      for (const PartitionSpec& before : specs) {
        for (const PartitionSpec& after : specs) {
          for (const Sizes& shape : {Sizes{8, 16}, Sizes{8, 0}}) {
            ExpectGivesNewShards(ShardingOf(from, before),
                                 ShardingOf(to, after), shape);
          }
        }
      }
    }
  }
}

// Thirds are cut into halves: pieces are sixths.
TEST(ReshardPlan, ShardsThatDoNotNestMeetInSmallerPieces) {
  const World world = WorldOf(3, 2);
  const Mesh thirds = MeshOf(world, {3, 2}, {"x", "y"});
  const NamedSharding from = ShardingOf(thirds, PartitionSpec("x"));
  const NamedSharding to = ShardingOf(thirds, PartitionSpec("y"));
  ExpectGivesNewShards(from, to, {12, 2});
  const auto plan = ReshardPlan::Create(from, to, {12, 2});
  EXPECT_EQ(Sizes(plan->piece_shape().begin(), plan->piece_shape().end()),
            (Sizes{2, 2}));
}

TEST(ReshardPlan, ScalarsAndOneDeviceHaveNothingToMove) {
  const Mesh mesh = MeshOf(WorldOf(2, 2), {4}, {"x"});
  const NamedSharding sharding = ShardingOf(mesh, PartitionSpec());
  ExpectGivesNewShards(sharding, sharding, {});
  const auto plan = ReshardPlan::Create(sharding, sharding, {});
  EXPECT_EQ(plan->moved_count(), 0);
  EXPECT_EQ(plan->rounds().size(), 1u);
}

TEST(ReshardPlan, RowsToColumnsTakeAsManyRoundsAsRanks) {
  const Mesh mesh = MeshOf(WorldOf(4, 2), {8}, {"x"});
  const auto plan = ReshardPlan::Create(
      ShardingOf(mesh, PartitionSpec("x")),
      ShardingOf(mesh, PartitionSpec(nullptr, "x")), {8, 8});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->rounds().size(), 8u);
  EXPECT_EQ(plan->moved_count(), 8 * 7);
}

TEST(ReshardPlan, DeviceKeepsWhatItHas) {
  const Mesh mesh = MeshOf(WorldOf(2, 2), {2, 2}, {"x", "y"});
  const auto plan = ReshardPlan::Create(
      ShardingOf(mesh, PartitionSpec("x")),
      ShardingOf(mesh, PartitionSpec(AxisTuple{"x", "y"})), {8});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->moved_count(), 0);
}

// Both hosts have all of it: nothing crosses.
TEST(ReshardPlan, TakesFromItsOwnHostFirst) {
  const Mesh mesh = MeshOf(WorldOf(2, 4), {2, 4}, {"x", "y"});
  const auto plan = ReshardPlan::Create(ShardingOf(mesh, PartitionSpec("y")),
                                        ShardingOf(mesh, PartitionSpec()), {8});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->moved_count(), 8 * 3);
  for (const auto& round : plan->rounds()) {
    for (const auto& piece : round) {
      EXPECT_EQ(mesh.devices()[piece.source].host,
                mesh.devices()[piece.target].host);
    }
  }
}

TEST(ReshardPlan, DevicesMayBeOthers) {
  const World world = WorldOf(3, 2);
  const Mesh meshes[] = {
      MeshOf(world, {2, 3}, {"x", "y"}),
      MeshOf(world, {0, 1}, {2, 1}, {"x", "y"}),
      MeshOf(world, {5, 2}, {1, 2}, {"x", "y"}),
      MeshOf(world, {4, 1, 3, 2}, {2, 2}, {"x", "y"}),
  };
  const PartitionSpec specs[] = {PartitionSpec(), PartitionSpec("x", "y"),
                                 PartitionSpec("y"),
                                 PartitionSpec(nullptr, AxisTuple{"x", "y"})};
  for (const Mesh& from : meshes) {
    for (const Mesh& to : meshes) {
      for (const PartitionSpec& before : specs) {
        for (const PartitionSpec& after : specs) {
          ExpectGivesNewShards(ShardingOf(from, before), ShardingOf(to, after),
                               {6, 12});
        }
      }
    }
  }
}

TEST(ReshardPlan, RanksAreTheNewDevicesAndThenTheOldOnes) {
  const World world = WorldOf(2, 2);
  const auto plan = ReshardPlan::Create(
      ShardingOf(MeshOf(world, {0, 1}, {2}, {"x"}), PartitionSpec("x")),
      ShardingOf(MeshOf(world, {3, 1}, {2}, {"x"}), PartitionSpec()), {8});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(IdsOf(plan->devices()), (std::vector<int32_t>{3, 1, 0}));
  EXPECT_EQ(plan->target_count(), 2);
  EXPECT_FALSE(plan->IsSource(0));
  EXPECT_TRUE(plan->IsSource(1));
  EXPECT_TRUE(plan->IsSource(2));
}

}  // namespace
}  // namespace lockstep::internal
