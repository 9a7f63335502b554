#include "runtime/ir/op_sharding_rule.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lockstep::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string Text(absl::string_view inside) {
  return absl::StrCat("#sdy.op_sharding_rule<", inside, ">");
}

TEST(OpShardingRuleTest, TextReadsBack) {
  for (absl::string_view inside : {
           "([i, j], [j, k])->([i, k]) {i=8, j=16, k=4} reduction={j}",
           "([], [])->([])",
           "([ij])->([i, j]) {i=2, j=4}, custom",
           "([i, j, k], [l])->([i, m, j]) {i=2, j=0, k=3, l=1, m=5} "
           "reduction={k} need_replication={l} permutation={i, j} "
           "blocked_propagation={i, l}",
       }) {
    const auto rule = OpShardingRule::Parse(Text(inside));
    ASSERT_TRUE(rule.ok()) << rule.status();
    EXPECT_EQ(rule->ToString(), Text(inside));
  }
}

TEST(OpShardingRuleTest, SpacesMayBeMissing) {
  const auto rule = OpShardingRule::Parse(
      Text("([i,j],[j,k])->([i,k]){i=8,j=16,k=4}reduction={j},custom"));
  ASSERT_TRUE(rule.ok()) << rule.status();
  EXPECT_EQ(rule->ToString(),
            Text("([i, j], [j, k])->([i, k]) {i=8, j=16, k=4} "
                 "reduction={j}, custom"));
}

TEST(OpShardingRuleTest, FactorsAfterTheEighteenthHaveNumbers) {
  EXPECT_EQ(FactorSymbol(0), "i");
  EXPECT_EQ(FactorSymbol(17), "z");
  EXPECT_EQ(FactorSymbol(18), "z_1");
  EXPECT_EQ(FactorSymbol(29), "z_12");
  OpShardingRule::Parts parts;
  parts.operands = {{}};
  parts.results = {{{}}};
  for (int i = 0; i < 20; ++i) {
    parts.factors.push_back({.size = 2});
    (i == 0 ? parts.results[0][0].push_back(i)
            : parts.operands[0].push_back({i}));
  }
  parts.results[0][0] = {0, 18, 19};
  const auto rule = OpShardingRule::Create(parts);
  ASSERT_TRUE(rule.ok()) << rule.status();
  EXPECT_THAT(rule->ToString(), HasSubstr("z, z_1, z_2])->([iz_1z_2]) {i=2"));
  const auto read = OpShardingRule::Parse(rule->ToString());
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, *rule);
}

TEST(OpShardingRuleTest, KindsAreOfFactors) {
  const auto rule = OpShardingRule::Parse(
      Text("([i, j, k])->([i, j]) {i=2, j=3, k=4} reduction={k} "
           "need_replication={j} blocked_propagation={i, j}"));
  ASSERT_TRUE(rule.ok()) << rule.status();
  EXPECT_THAT(rule->FactorsOfKind(FactorKind::kPassThrough), ElementsAre(0));
  EXPECT_THAT(rule->FactorsOfKind(FactorKind::kReduction), ElementsAre(2));
  EXPECT_THAT(rule->FactorsOfKind(FactorKind::kNeedReplication),
              ElementsAre(1));
  EXPECT_THAT(rule->FactorsOfKind(FactorKind::kPermutation), IsEmpty());
  EXPECT_THAT(rule->BlockedFactors(), ElementsAre(0, 1));
  EXPECT_FALSE(rule->is_custom());
}

TEST(OpShardingRuleTest, ErrorsSayWhatIsWrong) {
  const struct {
    std::string inside;
    std::string message;
  } kCases[] = {
      {"()->([])", "expected operands and results, found 0 and 1"},
      {"([])->()", "expected operands and results, found 1 and 0"},
      {"([i])->([i])", "operand 0 dim 0: factor i has no size"},
      {"([i])->([j]) {i=2}", "result 0 dim 0: factor j has no size"},
      {"([i, i])->([i]) {i=2}",
       "operand 0 dim 1: factor i is in this tensor already"},
      {"([ij])->([i]) {i=2, j=1}",
       "operand 0 dim 0: factor j of size 1 is not alone in its dim"},
      {"([i])->([i]) {i=2, j=2}", "factor j is in no dim"},
      {"([i])->([i]) {j=2}", "column 37: expected 'i', found 'j=2}>'"},
      {"([i])->([i]) {i 2}", "column 39: expected '=', found '2}>'"},
      {"([i j])->([ij]) {i=2, j=2}", "column 27: expected ',' or ']'"},
      {"([i])->([i]) {i=x}", "column 39: expected a number"},
      {"([i, ])->([i]) {i=2}", "column 28: expected a factor, i to z"},
      {"([a])->([i]) {i=2}", "column 25: expected a factor, i to z"},
      {"([z_0])->([i]) {i=2}", "expected a number from 1 to"},
      {"([i])->([i]) {i=-2}", "expected a size of 0 or more, found -2"},
      {"([i], [i]->([i]) {i=2}", "expected ',' or ')'"},
      {"([i])->([i]) {i=2} reduction={i}",
       "result 0: expected no reduction factor, found i"},
      {"([i])->([]) {i=2} reduction={i} need_replication={i}",
       "factor i is in both reduction and need_replication"},
      {"([i, j])->([]) {i=2, j=2} permutation={j, i}",
       "expected lists of factors in order, found i after j"},
      {"([i])->([]) {i=2} permutation={i, i}",
       "expected lists of factors in order, found i after i"},
      {"([i])->([]) {i=2} permutation={j}", "factor j of a list has no size"},
      {"([i])->([]) {i=2} permutation={i} reduction={i}", "expected '>'"},
      {"([i])->([]) {i=2}, costum", "expected 'custom'"},
  };
  for (const auto& c : kCases) {
    const auto rule = OpShardingRule::Parse(Text(c.inside));
    EXPECT_EQ(rule.status().code(), absl::StatusCode::kInvalidArgument)
        << c.inside;
    EXPECT_THAT(std::string(rule.status().message()), HasSubstr(c.message))
        << c.inside;
  }
  EXPECT_THAT(
      std::string(
          OpShardingRule::Parse(Text("([])->([])") + " x").status().message()),
      HasSubstr("column 35: expected the end of the text, found 'x'"));
}

TEST(OpShardingRuleTest, ADimWithoutAFactorIsRefused) {
  OpShardingRule::Parts parts;
  parts.operands = {{{}}};
  parts.results = {{}};
  const auto rule = OpShardingRule::Create(parts);
  EXPECT_THAT(std::string(rule.status().message()),
              HasSubstr("operand 0 dim 0: expected a factor, found none"));
}

}  // namespace
}  // namespace lockstep::internal
