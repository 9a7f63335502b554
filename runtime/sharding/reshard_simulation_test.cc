// Y-21 of docs/behaviour/shardings.md: the steps of a plan, executed.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/device_groups.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/reshard_plan.h"
#include "runtime/sharding/reshard_testing.h"

namespace lockstep::internal {
namespace {

using Shape = std::vector<int64_t>;

// A row-major array.
struct Block {
  Shape shape;
  std::vector<int64_t> values;
  friend bool operator==(const Block&, const Block&) = default;
};

// `outer` rows of `size` runs of `inner` values: a dim and those around it.
struct DimRuns {
  DimRuns(const Shape& shape, int64_t dim) : size(shape[dim]) {
    for (int64_t i = 0; i < dim; ++i) outer *= shape[i];
    for (size_t i = dim + 1; i < shape.size(); ++i) inner *= shape[i];
  }
  int64_t outer = 1;
  int64_t size = 1;
  int64_t inner = 1;
};

// The part `index` of `count` along a dim.
Block Part(const Block& block, int64_t dim, int64_t index, int64_t count) {
  const DimRuns runs(block.shape, dim);
  Block part;
  part.shape = block.shape;
  part.shape[dim] = runs.size / count;
  const int64_t run = part.shape[dim] * runs.inner;
  for (int64_t row = 0; row < runs.outer; ++row) {
    const auto begin = block.values.begin() + (row * count + index) * run;
    part.values.insert(part.values.end(), begin, begin + run);
  }
  return part;
}

Block Concatenation(const std::vector<Block>& blocks, int64_t dim) {
  Block whole;
  whole.shape = blocks[0].shape;
  whole.shape[dim] *= static_cast<int64_t>(blocks.size());
  const DimRuns runs(blocks[0].shape, dim);
  const int64_t run = runs.size * runs.inner;
  for (int64_t row = 0; row < runs.outer; ++row) {
    for (const Block& block : blocks) {
      const auto begin = block.values.begin() + row * run;
      whole.values.insert(whole.values.end(), begin, begin + run);
    }
  }
  return whole;
}

using Data = std::map<int64_t, Block>;  // by device

// The shard that each device has of an array of different values; along
// unreduced axes each has its own.
Data ShardsOf(const Shape& shape, const TensorSharding& sharding,
              const ShardingMesh& mesh) {
  const int64_t size = std::accumulate(shape.begin(), shape.end(), int64_t{1},
                                       std::multiplies<>());
  Data data;
  for (int64_t i = 0; i < mesh.device_count(); ++i) {
    const int64_t device = mesh.DeviceAt(i);
    Block block;
    block.shape = shape;
    block.values.resize(size);
    std::iota(block.values.begin(), block.values.end(),
              size * *ShardIndexOf(device, sharding.unreduced, mesh));
    for (int64_t dim = 0; dim < sharding.rank(); ++dim) {
      const DimSharding& axes = sharding.dims[dim];
      block = Part(block, dim, *ShardIndexOf(device, axes.axes, mesh),
                   axes.ShardCount(mesh.abstract()));
    }
    data[device] = std::move(block);
  }
  return data;
}

void Slice(const ReshardStep& step, const ShardingMesh& mesh, Data& data) {
  for (auto& [device, block] : data) {
    for (size_t dim = 0; dim < step.dim_axes.size(); ++dim) {
      DimSharding added;
      added.axes = step.dim_axes[dim];
      block = Part(block, static_cast<int64_t>(dim),
                   *ShardIndexOf(device, added.axes, mesh),
                   added.ShardCount(mesh.abstract()));
    }
  }
}

void Gather(const ReshardStep& step, const ShardingMesh& mesh, Data& data) {
  for (size_t dim = 0; dim < step.dim_axes.size(); ++dim) {
    for (const auto& group : DeviceGroups(step.dim_axes[dim], mesh)) {
      std::vector<Block> blocks;
      for (const int64_t device : group) blocks.push_back(data[device]);
      const Block whole = Concatenation(blocks, static_cast<int64_t>(dim));
      for (const int64_t device : group) data[device] = whole;
    }
  }
}

void Move(const ReshardStep::Move& move, const ShardingMesh& mesh, Data& data) {
  for (const auto& group : DeviceGroups(move.axes, mesh)) {
    const auto count = static_cast<int64_t>(group.size());
    std::vector<Block> received;
    for (int64_t i = 0; i < count; ++i) {
      std::vector<Block> parts;
      for (const int64_t sender : group) {
        parts.push_back(Part(data[sender], move.target_dim, i, count));
      }
      received.push_back(Concatenation(parts, move.source_dim));
    }
    for (int64_t i = 0; i < count; ++i) data[group[i]] = received[i];
  }
}

void Permute(const std::vector<SourceTarget>& pairs, Data& data) {
  Data received;
  for (const SourceTarget& pair : pairs) {
    received[pair.target] = data[pair.source];
  }
  data = std::move(received);
}

// Sizes that all shardings on the way divide.
Shape DivisibleShape(const RandomReshard& reshard, const ReshardPlan& plan) {
  const AbstractMesh& mesh = reshard.mesh.abstract();
  Shape shape = ShardCounts(reshard.from, mesh);
  for (const ReshardStep& step : plan.steps) {
    const std::vector<int64_t> counts = ShardCounts(step.result, mesh);
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      shape[dim] = std::lcm(shape[dim], counts[dim]);
    }
  }
  return shape;
}

void ExpectDataMoves(const RandomReshard& reshard, const ReshardPlan& plan) {
  const Shape shape = DivisibleShape(reshard, plan);
  Data data = ShardsOf(shape, reshard.from, reshard.mesh);
  const TensorSharding* last = &reshard.from;
  for (const ReshardStep& step : plan.steps) {
    const ShardingMesh& before = reshard.MeshOf(*last);
    const ShardingMesh& after = reshard.MeshOf(step.result);
    switch (step.kind) {
      case ReshardStep::Kind::kSlice:
        Slice(step, after, data);
        break;
      case ReshardStep::Kind::kPermute:
        Permute(*PermutePairs(*last, step.result, before, after), data);
        break;
      case ReshardStep::Kind::kMove:
        for (const auto& move : step.moves) Move(move, after, data);
        break;
      case ReshardStep::Kind::kGather:
        Gather(step, after, data);
    }
    ASSERT_EQ(data, ShardsOf(shape, step.result, after)) << ShortText(step);
    last = &step.result;
  }
  TensorSharding target = reshard.to;
  target.mesh = last->mesh;
  EXPECT_EQ(data, ShardsOf(shape, target, reshard.MeshOf(target)));
}

TEST(ReshardSimulation, EveryDeviceEndsWithItsShard) {
  RandomShardings random(/*seed=*/1);
  std::map<ReshardStep::Kind, int> executed;
  int unreduced = 0;
  for (int round = 0; round < 6000 && !HasFailure(); ++round) {
    const RandomReshard reshard(random);
    SCOPED_TRACE(reshard.ToString());
    const ReshardPlan plan = reshard.Plan();
    ExpectDataMoves(reshard, plan);
    for (const ReshardStep& step : plan.steps) {
      ++executed[step.kind];
      if (!step.result.unreduced.empty()) ++unreduced;
    }
  }
  EXPECT_EQ(executed.size(), 4);
  for (const auto& [kind, count] : executed) EXPECT_GT(count, 300);
  EXPECT_GT(unreduced, 100);
}

}  // namespace
}  // namespace lockstep::internal
