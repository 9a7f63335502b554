// Y-15 of docs/behaviour/shardings.md: dims as factors.
#include "runtime/sharding/sharding_projection.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/op_sharding_testing.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;

// {"a":(1)2, ?}, {"a", ?} + {"b"} with an overflow, - where there is none.
std::string Text(const std::optional<FactorSharding>& factor) {
  if (!factor.has_value()) return "-";
  std::string text = AxisRefsText(factor->axes);
  if (!factor->is_closed) {
    absl::StrAppend(&text, factor->axes.empty() ? "?" : ", ?");
  }
  text = absl::StrCat("{", text, "}");
  if (factor->overflow.empty()) return text;
  return absl::StrCat(text, " + {", AxisRefsText(factor->overflow), "}");
}

std::vector<std::string> FactorTexts(absl::string_view mesh,
                                     absl::string_view rule_text,
                                     absl::string_view operand) {
  const OpShardingRule rule = RuleOfText(rule_text);
  const TensorFactorShardings tensor =
      ProjectTensor(rule, rule.operands()[0], ShardingOfText(operand),
                    MeshOfText(mesh).abstract());
  std::vector<std::string> texts;
  texts.reserve(tensor.factors.size());
  for (const auto& factor : tensor.factors) texts.push_back(Text(factor));
  return texts;
}

TEST(ShardingProjection, SplitsTheAxesOfADimOverItsFactors) {
  constexpr absl::string_view kRule = "([ij])->([i, j]) {i=2, j=4}";
  EXPECT_THAT(FactorTexts(R"(<["a"=4]>)", kRule, R"([{"a"}])"),
              ElementsAre(R"({"a":(1)2})", R"({"a":(2)2})"));
  EXPECT_THAT(FactorTexts(R"(<["a"=6]>)", kRule, R"([{"a", ?}])"),
              ElementsAre(R"({"a":(1)2, ?})", R"({"a":(2)3, ?})"));
  EXPECT_THAT(FactorTexts(R"(<["c"=2, "a"=4]>)", kRule, R"([{"c", "a"}])"),
              ElementsAre(R"({"c"})", R"({"a"})"));
  EXPECT_THAT(FactorTexts(R"(<["x"=4, "y"=2]>)", kRule, R"([{"x", "y"}])"),
              ElementsAre(R"({"x":(1)2})", R"({"x":(2)2, "y"})"));
}

TEST(ShardingProjection, AxesWithoutACommonDivisorOverflow) {
  EXPECT_THAT(FactorTexts(R"(<["a"=3]>)", "([ij])->([i, j]) {i=2, j=4}",
                          R"([{"a", ?}])"),
              ElementsAre(R"({?} + {"a"})", "{}"));
  EXPECT_THAT(FactorTexts(R"(<["a"=2, "b"=3]>)", "([ij])->([i, j]) {i=8, j=4}",
                          R"([{"a", "b", ?}])"),
              ElementsAre(R"({"a", ?} + {"b"})", "{}"));
  EXPECT_THAT(
      FactorTexts(R"(<["a"=6]>)", "([ijk])->([i, j, k]) {i=4, j=4, k=2}",
                  R"([{"a", ?}])"),
      ElementsAre(R"({"a":(1)2, ?} + {"a":(2)3})", "{}", "-"));
}

TEST(ShardingProjection, AxesOfOneDeviceGoWhereTheyStand) {
  EXPECT_THAT(
      FactorTexts(R"(<["a"=1, "b"=2, "c"=1]>)", "([ij])->([i, j]) {i=2, j=4}",
                  R"([{"a", "b", "c"}])"),
      ElementsAre(R"({"a", "b", "c"})", "{}"));
}

TEST(ShardingProjection, AnEmptyFactorTakesAllAxes) {
  EXPECT_THAT(FactorTexts(R"(<["a"=2, "b"=3]>)", "([ij])->([i, j]) {i=0, j=4}",
                          R"([{"a", "b"}])"),
              ElementsAre(R"({"a", "b"})", "{}"));
}

TEST(ShardingProjection, ATensorLacksFactorsOfOthers) {
  EXPECT_THAT(FactorTexts(R"(<["a"=2]>)", "([i], [j])->([i, j]) {i=8, j=8}",
                          R"([{"a"}])"),
              ElementsAre(R"({"a"})", "-"));
}

TEST(ShardingProjection, AMissingShardingIsOpenUnlessClosedIsAskedFor) {
  const OpShardingRule rule = RuleOfText("([ij])->([i, j]) {i=2, j=4}");
  const AbstractMesh mesh = MeshOfText(R"(<["a"=2]>)").abstract();
  for (const bool is_closed : {false, true}) {
    const TensorFactorShardings tensor = ProjectTensor(
        rule, rule.operands()[0], std::nullopt, mesh,
        is_closed ? MissingSharding::kClosed : MissingSharding::kOpen);
    EXPECT_EQ(tensor.factors[0]->is_closed, is_closed);
    EXPECT_EQ(tensor.factors[1]->is_closed, is_closed);
    EXPECT_FALSE(tensor.factors[0]->is_minor_most);
    EXPECT_TRUE(tensor.factors[1]->is_minor_most);
  }
}

// The example of Shardy's sharding projection, there and back.
TEST(ShardingProjection, DimsWithSeveralFactorsAreMerged) {
  const OpShardingRule rule = RuleOfText("([ij])->([i, j]) {i=2, j=4}");
  const AbstractMesh mesh = MeshOfText(R"(<["x"=4, "y"=2]>)").abstract();
  TensorFactorShardings operand =
      ProjectTensor(rule, rule.operands()[0], std::nullopt, mesh);
  EXPECT_TRUE(operand.Extend(0, {AxisRef("x", 1, 2)}));
  EXPECT_TRUE(operand.Extend(1, {AxisRef("x", 2, 2), AxisRef("y")}));
  EXPECT_EQ(DimsOfFactors(rule, rule.operands()[0], operand, mesh),
            ShardingOfText(R"([{"x", "y", ?}])")->dims);
}

TEST(ShardingProjection, WhatFollowsAFactorThatIsNotFilledIsNoSharding) {
  const OpShardingRule rule = RuleOfText("([ij])->([i, j]) {i=4, j=4}");
  const AbstractMesh mesh = MeshOfText(R"(<["x"=2, "y"=2]>)").abstract();
  TensorFactorShardings operand =
      ProjectTensor(rule, rule.operands()[0], std::nullopt, mesh);
  EXPECT_TRUE(operand.Extend(0, {AxisRef("x")}));
  EXPECT_TRUE(operand.Extend(1, {AxisRef("y")}));
  EXPECT_EQ(DimsOfFactors(rule, rule.operands()[0], operand, mesh),
            ShardingOfText(R"([{"x", ?}])")->dims);
}

TEST(TensorFactorShardings, ExtendsOnlyAStrictPrefix) {
  const OpShardingRule rule = RuleOfText("([i], [j])->([i, j]) {i=8, j=8}");
  const AbstractMesh mesh = MeshOfText(R"(<["x"=8, "y"=2]>)").abstract();
  TensorFactorShardings operand = ProjectTensor(
      rule, rule.operands()[0], ShardingOfText(R"([{"x":(1)2}])"), mesh);
  const TensorFactorShardings before = operand;
  EXPECT_FALSE(operand.Extend(0, {}));
  EXPECT_FALSE(operand.Extend(0, {AxisRef("x", 1, 2)}));
  EXPECT_FALSE(operand.Extend(0, {AxisRef("y"), AxisRef("x")}));
  EXPECT_FALSE(operand.Extend(1, {AxisRef("x")}));
  EXPECT_EQ(operand, before);
  EXPECT_TRUE(operand.Extend(0, {AxisRef("x", 1, 4)}));
  EXPECT_TRUE(operand.Extend(0, {AxisRef("x"), AxisRef("y")}));
}

// Any dims are those of their factors; every axis is in one factor or in an
// overflow.
TEST(ShardingProjection, IsInvertedExactly) {
  RandomOps random(/*seed=*/1);
  for (int round = 0; round < 5000; ++round) {
    const ShardingMesh mesh = random.Mesh();
    const OpShardingRule rule = random.Rule();
    const OpShardings shardings = random.Shardings(rule, mesh);
    const ShardingProjection projection =
        ProjectShardings(rule, shardings, mesh.abstract());
    for (size_t i = 0; i < rule.operands().size(); ++i) {
      if (!shardings.operands[i].has_value()) continue;
      TensorSharding expected = *shardings.operands[i];
      for (DimSharding& dim : expected.dims) dim.priority.reset();
      const TensorFactorShardings& operand = projection.operands[i];
      ASSERT_EQ(
          DimsOfFactors(rule, rule.operands()[i], operand, mesh.abstract()),
          expected.dims)
          << rule << TextOfSharding(expected) << mesh.ToString();
      EXPECT_EQ(operand.replicated, expected.replicated);
      EXPECT_EQ(operand.unreduced, expected.unreduced);
      EXPECT_EQ(operand.reduction, expected.reduction);
    }
  }
}

}  // namespace
}  // namespace lockstep::internal
