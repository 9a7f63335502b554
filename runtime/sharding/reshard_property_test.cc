// Y-21 of docs/behaviour/shardings.md: what holds for the plan of any reshard.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/sharding_verifier.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/reshard_plan.h"
#include "runtime/sharding/reshard_testing.h"

namespace lockstep::internal {
namespace {

constexpr int kRounds = 10000;

using Kind = ReshardStep::Kind;

using Dims = std::vector<std::vector<AxisRef>>;

std::vector<int64_t> Counts(const Dims& dims, const AbstractMesh& mesh) {
  std::vector<int64_t> counts;
  for (const std::vector<AxisRef>& axes : dims) {
    counts.push_back(1);
    for (const AxisRef& axis : axes) counts.back() *= axis.Size(mesh);
  }
  return counts;
}

// `fewer` and the axes that the step adds or removes are `more`.
void ExpectJoined(const Dims& fewer, const ReshardStep& step, const Dims& more,
                  const AbstractMesh& mesh) {
  ASSERT_EQ(step.dim_axes.size(), fewer.size());
  Dims joined;
  for (size_t i = 0; i < fewer.size(); ++i) {
    joined.push_back(Joined(fewer[i], step.dim_axes[i], mesh));
  }
  EXPECT_EQ(joined, more);
  EXPECT_TRUE(std::ranges::any_of(
      step.dim_axes, [](const auto& axes) { return !axes.empty(); }));
}

void ExpectMoved(const Dims& before, const ReshardStep& step, const Dims& after,
                 const AbstractMesh& mesh) {
  ASSERT_EQ(step.moves.size(), 1);
  const ReshardStep::Move& move = step.moves[0];
  EXPECT_NE(move.source_dim, move.target_dim);
  EXPECT_FALSE(move.axes.empty());
  Dims without = before;
  without[move.source_dim] = after[move.source_dim];
  EXPECT_EQ(Joined(after[move.source_dim], move.axes, mesh),
            before[move.source_dim]);
  without[move.target_dim] = Joined(before[move.target_dim], move.axes, mesh);
  EXPECT_EQ(without, after);
}

// The step does to `before` what its kind says.
void ExpectStep(const Dims& before, const ReshardStep& step, const Dims& after,
                const AbstractMesh& mesh) {
  const bool has_dims = step.kind == Kind::kSlice || step.kind == Kind::kGather;
  EXPECT_EQ(step.dim_axes.empty(), !has_dims);
  EXPECT_EQ(step.moves.empty(), step.kind != Kind::kMove);
  switch (step.kind) {
    case Kind::kSlice:
      ExpectJoined(before, step, after, mesh);
      break;
    case Kind::kPermute:
      EXPECT_EQ(Counts(before, mesh), Counts(after, mesh));
      break;
    case Kind::kMove:
      ExpectMoved(before, step, after, mesh);
      break;
    case Kind::kGather:
      ExpectJoined(after, step, before, mesh);
  }
}

void ExpectPlan(const RandomReshard& reshard, const ReshardPlan& plan) {
  EXPECT_FALSE(plan.is_transfer);
  Dims dims = reshard.DimsOf(reshard.from);
  ShardingMesh mesh = reshard.mesh;
  for (const ReshardStep& step : plan.steps) {
    const TensorSharding& result = step.result;
    const Dims after = reshard.DimsOf(result);
    ExpectStep(dims, step, after, reshard.mesh.abstract());
    if (step.kind != Kind::kPermute) {
      EXPECT_EQ(reshard.MeshOf(result), mesh);
    }
    EXPECT_TRUE(dims != after || mesh != reshard.MeshOf(result));
    EXPECT_TRUE(VerifySharding(result, reshard.MeshOf(result)).ok())
        << ShortText(result);
    EXPECT_TRUE(std::ranges::all_of(result.dims, &DimSharding::is_closed));
    EXPECT_TRUE(result.replicated.empty());
    EXPECT_EQ(reshard.UnreducedOf(result), reshard.UnreducedOf(reshard.from));
    mesh = reshard.MeshOf(result);
    dims = after;
  }
  EXPECT_EQ(dims, reshard.DimsOf(reshard.to));
  const bool is_unsharded =
      std::ranges::all_of(dims, [](const auto& axes) { return axes.empty(); });
  if (!is_unsharded || !reshard.UnreducedOf(reshard.to).empty()) {
    EXPECT_EQ(mesh, reshard.MeshOf(reshard.to));
  }
}

TEST(ReshardProperty, StepsLeadToTheTarget) {
  RandomShardings random(/*seed=*/1);
  for (int round = 0; round < kRounds && !HasFailure(); ++round) {
    const RandomReshard reshard(random);
    SCOPED_TRACE(reshard.ToString());
    ExpectPlan(reshard, reshard.Plan());
  }
}

TEST(ReshardProperty, NothingIsDoneForAnEqualSharding) {
  RandomShardings random(/*seed=*/2);
  for (int round = 0; round < kRounds / 10; ++round) {
    RandomReshard reshard(random);
    reshard.to = reshard.from;
    ASSERT_EQ(reshard.Plan(), ReshardPlan()) << reshard.ToString();
  }
}

bool IsPowerOfTwo(int64_t size) { return (size & (size - 1)) == 0; }

// At most one slice, then one permute, then moves, then one gather: in between
// tensors are never larger than at both ends.
TEST(ReshardProperty, OneRoundIsEnoughForPowersOfTwo) {
  RandomShardings random(/*seed=*/3);
  for (int round = 0; round < kRounds; ++round) {
    RandomReshard reshard(random);
    if (!IsPowerOfTwo(reshard.mesh.device_count())) continue;
    std::vector<Kind> kinds;
    for (const ReshardStep& step : reshard.Plan().steps) {
      if (step.kind == Kind::kMove && !kinds.empty() &&
          kinds.back() == Kind::kMove) {
        continue;
      }
      kinds.push_back(step.kind);
    }
    ASSERT_TRUE(std::ranges::is_sorted(kinds)) << reshard.ToString();
    ASSERT_EQ(std::ranges::adjacent_find(kinds), kinds.end())
        << reshard.ToString();
  }
}

}  // namespace
}  // namespace lockstep::internal
