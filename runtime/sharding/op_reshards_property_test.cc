// Y-22 of docs/behaviour/shardings.md: what holds for any op.
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
#include "runtime/sharding/axis_list.h"
#include "runtime/sharding/common_mesh.h"
#include "runtime/sharding/exported_sharding.h"
#include "runtime/sharding/op_reshards.h"
#include "runtime/sharding/op_sharding_testing.h"
#include "runtime/sharding/sharding_projection.h"

namespace lockstep::internal {
namespace {

constexpr int kRounds = 20000;

struct RandomChoice {
  explicit RandomChoice(RandomOps& random)
      : RandomChoice(random, random.RuleOfAnyKinds()) {
    traits.is_reshape = false;
  }
  RandomChoice(RandomOps& random, OpShardingRule op_rule)
      : mesh(random.Mesh()),
        rule(std::move(op_rule)),
        shardings(random.Shardings(rule, mesh)) {
    for (size_t i = 0; i < rule.operands().size(); ++i) {
      traits.operand_elements.push_back(random.Below(100));
    }
    for (size_t i = 0; i < rule.results().size(); ++i) {
      traits.result_elements.push_back(random.Below(100));
    }
    traits.is_reshape = true;
  }
  static RandomChoice Reshape(RandomOps& random) {
    OpShardingRule rule = random.Rule();
    while (rule.operands().size() + rule.results().size() > 2) {
      rule = random.Rule();
    }
    return {random, std::move(rule)};
  }
  static RandomChoice Any(RandomOps& random) {
    return random.Below(4) == 0 ? Reshape(random) : RandomChoice(random);
  }

  OpReshards Run() const {
    return ChooseOpShardings(rule, {.reference = "mesh", .mesh = mesh},
                             shardings, traits);
  }
  std::string ToString() const {
    return absl::StrCat(
        mesh.ToString(), " ", rule.ToString(),
        traits.is_reshape ? " reshape\n" : "\n",
        absl::StrJoin(TextsOfShardings(shardings.operands), "\n"), "\n->\n",
        absl::StrJoin(TextsOfShardings(shardings.results), "\n"));
  }

  ShardingMesh mesh;
  OpShardingRule rule;
  OpShardings shardings;
  OpTraits traits;
};

std::string TextOf(const OpReshards& reshards) {
  return absl::StrCat(
      absl::StrJoin(TextsOfShardings(reshards.shardings.operands), "\n"),
      "\n=>\n",
      absl::StrJoin(TextsOfShardings(reshards.shardings.results), "\n"));
}

// The axes of each factor, and in `problem` what an op cannot run with.
std::vector<std::vector<AxisRef>> FactorAxesOf(const RandomChoice& op,
                                               const OpShardings& shardings,
                                               std::string& problem) {
  std::vector<std::optional<std::vector<AxisRef>>> found(
      op.rule.factors().size());
  const ShardingProjection projection =
      ProjectShardings(op.rule, shardings, op.mesh.abstract());
  for (const auto* tensors : {&projection.operands, &projection.results}) {
    for (const TensorFactorShardings& tensor : *tensors) {
      for (size_t i = 0; i < found.size(); ++i) {
        const auto& factor = tensor.factors[i];
        if (!factor.has_value()) continue;
        if (!factor->overflow.empty()) problem = "an overflow";
        if (!found[i].has_value()) found[i] = factor->axes;
        if (*found[i] != factor->axes) problem = "other axes of a tensor";
      }
    }
  }
  std::vector<std::vector<AxisRef>> axes;
  for (size_t i = 0; i < found.size(); ++i) {
    axes.push_back(found[i].value_or(std::vector<AxisRef>()));
    if (op.rule.factors()[i].kind == FactorKind::kNeedReplication &&
        !axes[i].empty()) {
      problem = "axes of a factor that needs replication";
    }
    for (size_t j = 0; j < i; ++j) {
      for (const AxisRef& a : axes[i]) {
        for (const AxisRef& b : axes[j]) {
          if (a.Overlaps(b)) problem = "an axis of two factors";
        }
      }
    }
  }
  return axes;
}

void ExpectValid(const OpReshards& reshards, const RandomChoice& op) {
  for (const auto* tensors :
       {&reshards.shardings.operands, &reshards.shardings.results}) {
    for (const std::optional<TensorSharding>& sharding : *tensors) {
      ASSERT_TRUE(sharding.has_value());
      EXPECT_TRUE(VerifySharding(*sharding, op.mesh).ok())
          << VerifySharding(*sharding, op.mesh);
      EXPECT_TRUE(sharding->replicated.empty());
      for (const DimSharding& dim : sharding->dims) {
        EXPECT_TRUE(dim.is_closed);
        EXPECT_FALSE(dim.priority.has_value());
      }
    }
  }
  EXPECT_EQ(reshards.shardings.operands.size(), op.rule.operands().size());
  EXPECT_EQ(reshards.shardings.results.size(), op.rule.results().size());
  EXPECT_EQ(reshards.operand_all_reduce.size(), op.rule.operands().size());
}

// The op must sum over exactly the parts of devices along reduction factors
// that the results do not keep open.
void ExpectSums(const OpReshards& reshards, const RandomChoice& op,
                const std::vector<std::vector<AxisRef>>& axes) {
  int64_t summed = 1;
  for (const int factor : op.rule.FactorsOfKind(FactorKind::kReduction)) {
    for (const AxisRef& axis : axes[factor]) {
      summed *= axis.Size(op.mesh.abstract());
    }
  }
  std::vector<AxisRef> open = reshards.shardings.results[0]->unreduced;
  for (const auto& operand : reshards.shardings.operands) {
    // Not of the op, but of an operand.
    open = AxesWithout(open, operand->unreduced, op.mesh.abstract());
  }
  int64_t left = 1;
  for (const AxisRef& axis : reshards.all_reduce) {
    left *= axis.Size(op.mesh.abstract());
  }
  for (const AxisRef& axis : open) left *= axis.Size(op.mesh.abstract());
  EXPECT_EQ(left, summed);
}

TEST(ChooseOpShardingsProperty, OpsCanRunAtTheChosenShardings) {
  RandomOps random(/*seed=*/21);
  int changed = 0;
  int reduced = 0;
  int reshapes = 0;
  for (int round = 0; round < kRounds && !testing::Test::HasFailure();
       ++round) {
    const RandomChoice op = RandomChoice::Any(random);
    SCOPED_TRACE(op.ToString());
    const OpReshards reshards = op.Run();
    SCOPED_TRACE(TextOf(reshards));
    ExpectValid(reshards, op);
    std::string problem;
    const auto axes = FactorAxesOf(op, reshards.shardings, problem);
    EXPECT_EQ(problem, "");
    ExpectSums(reshards, op, axes);
    EXPECT_EQ(op.Run(), reshards);

    std::string problem_before;
    FactorAxesOf(op, op.shardings, problem_before);
    if (!problem_before.empty()) ++changed;
    if (!reshards.all_reduce.empty()) ++reduced;
    if (problem_before == "an overflow" && op.traits.is_reshape) ++reshapes;
  }
  EXPECT_GT(changed, kRounds / 4);
  EXPECT_GT(reduced, kRounds / 50);
  EXPECT_GT(reshapes, kRounds / 200);
}

TEST(ChooseOpShardingsProperty, ASecondChoiceChangesNothing) {
  RandomOps random(/*seed=*/22);
  for (int round = 0; round < kRounds; ++round) {
    RandomChoice op = RandomChoice::Any(random);
    const std::string before = op.ToString();
    const OpReshards first = op.Run();
    op.shardings = first.shardings;
    OpReshards expected = first;
    expected.operand_all_reduce.assign(op.rule.operands().size(), {});
    const OpReshards second = op.Run();
    ASSERT_EQ(second, expected) << before << "\n"
                                << TextOf(first) << "\n"
                                << TextOf(second);
  }
}

TEST(ChooseOpShardingsProperty, CompatibleShardingsStayAsTheyAre) {
  RandomOps random(/*seed=*/23);
  int compatible = 0;
  for (int round = 0; round < kRounds; ++round) {
    RandomChoice op = RandomChoice::Any(random);
    for (auto* tensors : {&op.shardings.operands, &op.shardings.results}) {
      for (std::optional<TensorSharding>& sharding : *tensors) {
        if (!sharding.has_value()) continue;
        sharding->unreduced.clear();
        sharding->reduction = UnreducedKind::kSum;
        // Fewer axes are more often compatible.
        for (DimSharding& dim : sharding->dims) {
          while (!dim.axes.empty() && random.Below(4) > 0) dim.axes.pop_back();
          dim.priority.reset();
        }
      }
    }
    std::string problem;
    FactorAxesOf(op, op.shardings, problem);
    if (!problem.empty()) continue;
    const OpReshards reshards = op.Run();
    const auto expect_same = [&](const auto& given, const auto& chosen) {
      for (size_t i = 0; i < given.size(); ++i) {
        ASSERT_EQ(*chosen[i],
                  given[i].has_value()
                      ? ClosedSharding(*given[i])
                      : UnshardedOn("mesh", chosen[i]->rank(), true))
            << op.ToString();
        if (HasAxes(*chosen[i])) ++compatible;
      }
    };
    expect_same(op.shardings.operands, reshards.shardings.operands);
    expect_same(op.shardings.results, reshards.shardings.results);
  }
  EXPECT_GT(compatible, kRounds / 100);
}

}  // namespace
}  // namespace lockstep::internal
