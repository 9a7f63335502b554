#include "runtime/sharding/bind_sharding_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/sharding/sdy_sharding_rule.h"
#include "runtime/types/shape.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Dims = std::vector<std::vector<int64_t>>;

std::vector<Shape> ShapesOf(const Dims& dims) {
  std::vector<Shape> shapes;
  for (const auto& sizes : dims) {
    shapes.push_back(*Shape::Create(ElementType::kF32, sizes));
  }
  return shapes;
}

absl::StatusOr<OpShardingRule> Bound(absl::string_view rule,
                                     const Dims& operands, const Dims& results,
                                     FactorOptions options = {}) {
  const auto parsed = SdyShardingRule::Parse(rule, std::move(options));
  if (!parsed.ok()) return parsed.status();
  return BindShardingRule(*parsed, ShapesOf(operands), ShapesOf(results));
}

std::string TextOf(const absl::StatusOr<OpShardingRule>& rule) {
  return rule.ok() ? rule->ToString() : rule.status().ToString();
}

std::string ErrorOf(const absl::StatusOr<OpShardingRule>& rule) {
  EXPECT_EQ(rule.status().code(), absl::StatusCode::kInvalidArgument)
      << rule.status();
  return std::string(rule.status().message());
}

// Y-12.
TEST(BindShardingRuleTest, RulesHaveTheTextOfShardy) {
  constexpr absl::string_view kMatmul = "... i j, ... j k -> ... i k";
  EXPECT_EQ(
      TextOf(Bound(kMatmul, {{2, 3, 16, 8}, {2, 3, 8, 16}}, {{2, 3, 16, 16}})),
      "#sdy.op_sharding_rule<([i, j, k, l], [i, j, l, m])->([i, j, k, m]) "
      "{i=2, j=3, k=16, l=8, m=16}, custom>");
  EXPECT_EQ(
      TextOf(Bound(kMatmul, {{2, 3, 16, 8}, {2, 3, 8, 16}}, {{2, 3, 16, 16}},
                   {.reduction_factors = {"j"}})),
      "#sdy.op_sharding_rule<([i, j, k, l], [i, j, l, m])->([i, j, k, m]) "
      "{i=2, j=3, k=16, l=8, m=16} reduction={l}, custom>");
  EXPECT_EQ(
      TextOf(Bound(" b0 b1 i j,  b0 b1 j k ->  b0 b1 i k",
                   {{2, 3, 16, 8}, {2, 3, 8, 16}}, {{2, 3, 16, 16}})),
      "#sdy.op_sharding_rule<([i, j, k, l], [i, j, l, m])->([i, j, k, m]) "
      "{i=2, j=3, k=16, l=8, m=16}, custom>");
  EXPECT_EQ(TextOf(Bound(kMatmul, {{16, 8}, {8, 16}}, {{16, 16}})),
            "#sdy.op_sharding_rule<([i, j], [j, k])->([i, k]) "
            "{i=16, j=8, k=16}, custom>");
  EXPECT_EQ(TextOf(Bound("i j -> (i j)", {{2, 4}}, {{8}})),
            "#sdy.op_sharding_rule<([i, j])->([ij]) {i=2, j=4}, custom>");
  EXPECT_EQ(TextOf(Bound("i j, i j -> i j", {{16, 16}, {16, 32}}, {{16, 8}})),
            "#sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) "
            "{i=16, j=8}, custom>");
  EXPECT_EQ(TextOf(Bound("...,  -> ...", {{16, 32}, {}}, {{16, 32}})),
            "#sdy.op_sharding_rule<([i, j], [])->([i, j]) "
            "{i=16, j=32}, custom>");
  EXPECT_EQ(
      TextOf(Bound("... j i, ...1 i j -> ...i j",
                   {{4, 5, 16, 32}, {6, 7, 8, 32, 16}}, {{4, 5, 32, 16}})),
      "#sdy.op_sharding_rule<([i, j, k, l], [m, n, o, l, k])->([i, j, l, k]) "
      "{i=4, j=5, k=16, l=32, m=6, n=7, o=8}, custom>");
}

TEST(BindShardingRuleTest, SizesOfCompoundsAreThoseThatAreGiven) {
  EXPECT_EQ(TextOf(Bound("(j i) -> (i j)", {{200}}, {{200}},
                         {.need_replication_factors = {"i"},
                          .permutation_factors = {"j"},
                          .factor_sizes = {{"i", 10}, {"j", 20}}})),
            "#sdy.op_sharding_rule<([ij])->([ji]) {i=20, j=10} "
            "need_replication={j} permutation={i}, custom>");
  // Known only from a later value.
  EXPECT_EQ(TextOf(Bound("(i j) -> i j", {{8}}, {{2, 4}})),
            "#sdy.op_sharding_rule<([ij])->([i, j]) {i=2, j=4}, custom>");
}

TEST(BindShardingRuleTest, SymbolsGoOnBehindZ) {
  std::string rule;
  std::vector<int64_t> sizes;
  for (int i = 0; i < 20; ++i) {
    absl::StrAppend(&rule, " f", i);
    sizes.push_back(2);
  }
  const auto bound = Bound(absl::StrCat(rule, "->", rule), {sizes}, {sizes});
  EXPECT_THAT(TextOf(bound),
              AllOf(HasSubstr("y, z, z_1, z_2]"), HasSubstr("z_2=2}")));
}

TEST(BindShardingRuleTest, TextsAreReadBack) {
  const auto bound =
      Bound("... i (j k), ... j -> ... i k", {{2, 3, 24}, {2, 4}}, {{2, 3, 6}},
            {.reduction_factors = {"j"}});
  ASSERT_TRUE(bound.ok()) << bound.status();
  const auto parsed = OpShardingRule::Parse(bound->ToString());
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, *bound);
}

// Y-12.
TEST(BindShardingRuleTest, WrongShapesAreRefused) {
  EXPECT_THAT(ErrorOf(Bound("i j-> i j", {{16, 32}, {16, 32}}, {{16, 32}})),
              HasSubstr("expected as many operands as the rule has, 1, "
                        "found 2"));
  EXPECT_THAT(
      ErrorOf(Bound("i j, i j -> i j, i j", {{16, 32}, {16, 32}}, {{16, 32}})),
      HasSubstr("expected as many results as the rule has, 2, "
                "found 1"));
  EXPECT_THAT(
      ErrorOf(Bound("i j, i j k-> i j", {{16, 32}, {16, 32}}, {{16, 32}})),
      HasSubstr("operand 1: expected rank 3, found 2"));
  EXPECT_THAT(
      ErrorOf(Bound("..., ... -> ...", {{16, 32}, {16, 32}}, {{16, 64}})),
      HasSubstr("result 0: batch group 0 dimension 1: expected size "
                "32, as before, found 64"));
  EXPECT_THAT(ErrorOf(Bound("..., ... -> ...", {{16, 32}, {16}}, {{16, 32}})),
              HasSubstr("operand 1: expected 2 batch dimensions, as before in "
                        "group 0, found 1"));
  EXPECT_THAT(ErrorOf(Bound("... i j -> i", {{16}}, {{16}})),
              HasSubstr("operand 0: expected rank 2 or more, found 1"));
  EXPECT_THAT(ErrorOf(Bound("i j -> (i j)", {{2, 4}}, {{9}})),
              HasSubstr("result 0 dimension 0: expected 8, the product of the "
                        "factors i, j, found 9"));
}

// What an op's rule may not say.
TEST(BindShardingRuleTest, RulesThatNoOpHasAreRefused) {
  EXPECT_THAT(ErrorOf(Bound("i i -> i", {{4, 4}}, {{4}})),
              AllOf(HasSubstr("SdyShardingRule((('i', 'i'),)"),
                    HasSubstr("operand 0 dim 1: factor i")));
  EXPECT_THAT(ErrorOf(Bound("i j -> i j", {{4, 4}}, {{4, 4}},
                            {.reduction_factors = {"j"}})),
              HasSubstr("result 0: expected no reduction factor"));
}

}  // namespace
}  // namespace lockstep::internal
