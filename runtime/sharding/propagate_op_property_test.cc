// Y-15 of docs/behaviour/shardings.md: what holds for any op.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/sharding_verifier.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/common_mesh.h"
#include "runtime/sharding/compatible_axes.h"
#include "runtime/sharding/op_sharding_testing.h"
#include "runtime/sharding/propagate_op.h"
#include "runtime/sharding/sharding_projection.h"
#include "runtime/sharding/tensor_merge.h"

namespace lockstep::internal {
namespace {

constexpr int kRounds = 20000;

struct RandomStep {
  explicit RandomStep(RandomOps& random) : RandomStep(random, random.Mesh()) {}
  RandomStep(RandomOps& random, ShardingMesh step_mesh)
      : mesh(std::move(step_mesh)),
        rule(random.Rule()),
        shardings(random.Shardings(rule, mesh)) {
    options.strategy = static_cast<PropagationStrategy>(random.Below(3));
    options.merge.target = TensorAt(0);
    for (size_t i = 1; i < rule.operands().size() + rule.results().size();
         ++i) {
      options.merge.sources.push_back(TensorAt(i));
    }
    if (random.Below(2) == 0) {
      std::swap(options.merge.target, options.merge.sources.back());
    }
    options.merge.combines = random.Below(4) > 0;
    options.is_elementwise = random.Below(2) == 0;
    if (random.Below(2) == 0) MakeAlike(random);
    if (random.Below(2) == 0) return;
    for (size_t i = 0; i < rule.factors().size(); ++i) {
      options.directions.push_back(
          static_cast<PropagationDirection>(random.Below(4)));
    }
  }

  // Operands, then results.
  OpTensor TensorAt(size_t i) const {
    const size_t operands = rule.operands().size();
    return i < operands ? OpTensor{.side = OpTensor::Side::kOperand,
                                   .index = static_cast<int>(i)}
                        : OpTensor{.side = OpTensor::Side::kResult,
                                   .index = static_cast<int>(i - operands)};
  }
  // Tensors have prefixes of the same axes, as after a change to one of them.
  void MakeAlike(RandomOps& random) {
    PropagateOp(rule, Mesh(), shardings).ApplyTo(shardings);
    for (auto* tensors : {&shardings.operands, &shardings.results}) {
      for (std::optional<TensorSharding>& sharding : *tensors) {
        if (!sharding.has_value()) continue;
        for (DimSharding& dim : sharding->dims) {
          while (!dim.axes.empty() && random.Below(2) == 0) dim.axes.pop_back();
          dim.priority.reset();
        }
      }
    }
  }
  CommonMesh Mesh() const { return {.reference = "mesh", .mesh = mesh}; }
  OpShardingUpdates Run() const {
    return PropagateOp(rule, Mesh(), shardings, options);
  }
  std::string ToString() const {
    return absl::StrCat(
        mesh.ToString(), " ", rule.ToString(), "\n",
        absl::StrJoin(TextsOfShardings(shardings.operands), "\n"), "\n->\n",
        absl::StrJoin(TextsOfShardings(shardings.results), "\n"), "\nstrategy ",
        static_cast<int>(options.strategy));
  }

  ShardingMesh mesh;
  OpShardingRule rule;
  OpShardings shardings;
  PropagateOpOptions options;
};

OpShardingRule::Parts PartsOf(const OpShardingRule& rule) {
  OpShardingRule::Parts parts;
  parts.factors = rule.factors();
  parts.operands = rule.operands();
  parts.results = rule.results();
  return parts;
}

// Only axes are appended, and only to open dims; the sharding stays valid,
// where no axis is used twice.
void ExpectExtends(const std::optional<TensorSharding>& before,
                   const TensorSharding& after, const ShardingMesh& mesh) {
  EXPECT_TRUE(VerifySharding(after, mesh).ok())
      << VerifySharding(after, mesh) << TextOfSharding(after);
  TensorSharding expected =
      before.has_value() ? *before : UnshardedOn("mesh", after.rank(), false);
  ASSERT_EQ(after.rank(), expected.rank());
  EXPECT_NE(after, expected);
  for (int64_t i = 0; i < after.rank(); ++i) {
    DimSharding& dim = expected.dims[i];
    if (dim.axes == after.dims[i].axes) continue;
    EXPECT_FALSE(dim.is_closed);
    EXPECT_TRUE(IsStrictPrefix(dim.axes, after.dims[i].axes));
    dim.axes = after.dims[i].axes;
  }
  EXPECT_EQ(after, expected);
}

TEST(PropagateOpProperty, OnlyAppendsToOpenDims) {
  RandomOps random(/*seed=*/2);
  int updated = 0;
  for (int round = 0; round < kRounds && !testing::Test::HasFailure();
       ++round) {
    const RandomStep step(random);
    SCOPED_TRACE(step.ToString());
    const OpShardingUpdates updates = step.Run();
    for (size_t i = 0; i < updates.operands.size(); ++i) {
      if (!updates.operands[i].has_value()) continue;
      ExpectExtends(step.shardings.operands[i], *updates.operands[i],
                    step.mesh);
      ++updated;
    }
    for (size_t i = 0; i < updates.results.size(); ++i) {
      if (!updates.results[i].has_value()) continue;
      ExpectExtends(step.shardings.results[i], *updates.results[i], step.mesh);
      ++updated;
    }
  }
  EXPECT_GT(updated, kRounds / 5);
}

// Of any two parts of an axis that begin together one divides the other, which
// (1)2 and (1)3 of 6 do not.
ShardingMesh MeshOfPrimePowers(RandomOps& random) {
  const auto is_prime_power = [](const MeshAxis& axis) {
    return axis.size % 6 != 0;
  };
  ShardingMesh mesh = random.Mesh();
  while (!std::ranges::all_of(mesh.axes(), is_prime_power)) {
    mesh = random.Mesh();
  }
  return mesh;
}

TEST(PropagateOpProperty, ASecondBasicStepChangesNothing) {
  RandomOps random(/*seed=*/3);
  for (int round = 0; round < kRounds; ++round) {
    RandomStep step(random, MeshOfPrimePowers(random));
    step.options.strategy = PropagationStrategy::kBasic;
    const std::string before = step.ToString();
    step.Run().ApplyTo(step.shardings);
    ASSERT_FALSE(step.Run().Any()) << before << "\n" << step.ToString();
  }
}

// Another step has other sources of axes where factors that were sharded are
// not sharded in the dim, since one before them is not filled.
TEST(PropagateOpProperty, AggressiveStepsReachAFixedPoint) {
  RandomOps random(/*seed=*/6);
  for (int round = 0; round < kRounds; ++round) {
    RandomStep step(random);
    step.options.strategy = PropagationStrategy::kAggressive;
    const std::string before = step.ToString();
    int steps = 0;
    for (OpShardingUpdates updates = step.Run(); updates.Any();
         updates = step.Run()) {
      updates.ApplyTo(step.shardings);
      ASSERT_LE(++steps, 3) << before << "\n" << step.ToString();
    }
  }
}

TEST(PropagateOpProperty, MergesChangeTheTargetAloneAndReachAFixedPoint) {
  RandomOps random(/*seed=*/8);
  int merged = 0;
  for (int round = 0; round < kRounds; ++round) {
    RandomStep step(random, MeshOfPrimePowers(random));
    step.options.strategy = PropagationStrategy::kMerging;
    const std::string before = step.ToString();
    const OpTensor target = step.options.merge.target;
    int steps = 0;
    for (OpShardingUpdates updates = step.Run(); updates.Any();
         updates = step.Run()) {
      ++merged;
      updates.ApplyTo(step.shardings);
      auto& of_side = target.side == OpTensor::Side::kOperand ? updates.operands
                                                              : updates.results;
      of_side[target.index].reset();
      ASSERT_FALSE(updates.Any()) << before;
      ASSERT_LE(++steps, 3) << before << "\n" << step.ToString();
    }
  }
  EXPECT_GT(merged, kRounds / 20);
}

TEST(PropagateOpProperty, BlockedFactorsAndNoDirectionChangeNothing) {
  RandomOps random(/*seed=*/4);
  for (int round = 0; round < kRounds / 10; ++round) {
    RandomStep step(random);
    step.options.directions.assign(step.rule.factors().size(),
                                   PropagationDirection::kNone);
    ASSERT_FALSE(step.Run().Any()) << step.ToString();

    OpShardingRule::Parts parts = PartsOf(step.rule);
    for (OpShardingRule::Factor& factor : parts.factors) {
      factor.is_blocked = true;
    }
    step.rule = *OpShardingRule::Create(std::move(parts));
    step.options.directions.clear();
    ASSERT_FALSE(step.Run().Any()) << step.ToString();
  }
}

TEST(PropagateOpProperty, BasicDoesNotDependOnTheOrderOfTheTensors) {
  RandomOps random(/*seed=*/5);
  for (int round = 0; round < kRounds; ++round) {
    RandomStep step(random, MeshOfPrimePowers(random));
    step.options.strategy = PropagationStrategy::kBasic;
    const OpShardingUpdates expected = step.Run();
    const std::string text = step.ToString();

    OpShardingRule::Parts parts = PartsOf(step.rule);
    std::ranges::reverse(parts.operands);
    std::ranges::reverse(parts.results);
    step.rule = *OpShardingRule::Create(std::move(parts));
    std::ranges::reverse(step.shardings.operands);
    std::ranges::reverse(step.shardings.results);
    OpShardingUpdates updates = step.Run();
    std::ranges::reverse(updates.operands);
    std::ranges::reverse(updates.results);
    ASSERT_EQ(updates, expected) << text;
  }
}

}  // namespace
}  // namespace lockstep::internal
