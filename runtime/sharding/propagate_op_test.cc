// Y-15 of docs/behaviour/shardings.md.
#include "runtime/sharding/propagate_op.h"

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/mesh/sharding/tensor_sharding.h"
#include "runtime/sharding/common_mesh.h"
#include "runtime/sharding/compatible_axes.h"
#include "runtime/sharding/op_sharding_testing.h"
#include "runtime/sharding/sharding_projection.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

constexpr PropagationStrategy kBasic = PropagationStrategy::kBasic;
constexpr PropagationStrategy kAggressive = PropagationStrategy::kAggressive;

constexpr absl::string_view kMatmul =
    "([i, k], [k, j])->([i, j]) {i=8, j=16, k=8} reduction={k}";
constexpr absl::string_view kVectorAdd = "([i], [i])->([i]) {i=8}";
constexpr absl::string_view kMatrixAdd =
    "([i, j], [i, j])->([i, j]) {i=8, j=8}";
constexpr absl::string_view kCubeAdd =
    "([i, j, k], [i, j, k])->([i, j, k]) {i=2, j=8, k=8}";

CommonMesh OnMesh(absl::string_view text) {
  return {.reference = "mesh", .mesh = MeshOfText(text)};
}

void RunToFixedPoint(const OpShardingRule& rule, const CommonMesh& mesh,
                     const PropagateOpOptions& options,
                     OpShardings& shardings) {
  for (int step = 0; step < 100; ++step) {
    const OpShardingUpdates updates =
        PropagateOp(rule, mesh, shardings, options);
    if (!updates.Any()) return;
    updates.ApplyTo(shardings);
  }
  ADD_FAILURE() << "no fixed point: " << rule;
}

using Texts = std::vector<std::string>;

struct Case {
  std::string name;
  std::string mesh;
  std::string rule;
  Texts operands;
  Texts results;
  Texts operands_after = {};  // none: as before
  Texts results_after = {};
  PropagationStrategy strategy = kBasic;
  bool is_elementwise = false;

  friend std::ostream& operator<<(std::ostream& os, const Case& c) {
    return os << c.name;
  }
};

class PropagateOpTo : public testing::TestWithParam<Case> {};

TEST_P(PropagateOpTo, AFixedPoint) {
  const Case& c = GetParam();
  const OpShardingRule rule = RuleOfText(c.rule);
  OpShardings shardings = {.operands = ShardingsOfTexts(c.operands),
                           .results = ShardingsOfTexts(c.results)};
  PropagateOpOptions options;
  options.strategy = kBasic;
  options.is_elementwise = c.is_elementwise;
  RunToFixedPoint(rule, OnMesh(c.mesh), options, shardings);
  if (c.strategy == kAggressive) {
    options.strategy = kAggressive;
    RunToFixedPoint(rule, OnMesh(c.mesh), options, shardings);
  }
  EXPECT_THAT(TextsOfShardings(shardings.operands),
              ElementsAreArray(c.operands_after.empty() ? c.operands
                                                        : c.operands_after));
  EXPECT_THAT(
      TextsOfShardings(shardings.results),
      ElementsAreArray(c.results_after.empty() ? c.results : c.results_after));
}

const std::vector<Case>& BasicCases() {
  static const auto& cases = *new std::vector<Case>{
      {.name = "MissingShardingsAreOpen",
       .mesh = R"(<["a"=2, "b"=2]>)",
       .rule = std::string(kMatrixAdd),
       .operands = {R"([{"a"}, {"b"}])", "none"},
       .results = {"none"},
       .operands_after = {R"([{"a"}, {"b"}])", R"([{"a", ?}, {"b", ?}])"},
       .results_after = {R"([{"a", ?}, {"b", ?}])"}},
      {.name = "MatmulSpreadsItsContractingDim",
       .mesh = R"(<["a"=2, "b"=2]>)",
       .rule = std::string(kMatmul),
       .operands = {R"([{"a", ?}, {"b", ?}])", "none"},
       .results = {"none"},
       .operands_after = {R"([{"a", ?}, {"b", ?}])", R"([{"b", ?}, {?}])"},
       .results_after = {R"([{"a", ?}, {?}])"}},
      {.name = "ConflictLeavesTheCommonPrefix",
       .mesh = R"(<["a"=2, "b"=2, "c"=2]>)",
       .rule = std::string(kMatrixAdd),
       .operands = {R"([{"b", "a"}, {}])", R"([{"b", "c"}, {}])"},
       .results = {"none"},
       .results_after = {R"([{"b", ?}, {?}])"}},
      {.name = "ConflictOfTheFirstAxisLeavesNothing",
       .mesh = R"(<["a"=2, "b"=2, "c"=2]>)",
       .rule = std::string(kMatrixAdd),
       .operands = {R"([{"b", "a"}, {}])", R"([{"a", "b"}, {}])"},
       .results = {"none"},
       .results_after = {"none"}},
      {.name = "SubAxisGrowsUpToAnotherDim",
       .mesh = R"(<["a"=16, "b"=2]>)",
       .rule = std::string(kMatrixAdd),
       .operands = {R"([{"a", ?}, {?}])", R"([{"a":(1)2, ?}, {"a":(4)2, ?}])"},
       .results = {R"([{?}, {"b", ?}])"},
       .operands_after = {R"([{"a", ?}, {?}])",
                          R"([{"a":(1)4, ?}, {"a":(4)2, ?}])"},
       .results_after = {R"([{"a":(1)4, ?}, {"b", ?}])"}},
      {.name = "ClosedDimsStay",
       .mesh = R"(<["a"=2, "b"=2]>)",
       .rule = std::string(kMatmul),
       .operands = {R"([{"a"}, {}])", R"([{}, {"b"}])"},
       .results = {R"([{}, {?}])"},
       .results_after = {R"([{}, {"b", ?}])"}},
      {.name = "ReshapeSplitsAnAxis",
       .mesh = R"(<["a"=4]>)",
       .rule = "([ij])->([i, j]) {i=2, j=4}",
       .operands = {R"([{"a"}])"},
       .results = {"none"},
       .results_after = {R"([{"a":(1)2, ?}, {"a":(2)2, ?}])"}},
      {.name = "ReshapeMovesWholeAxes",
       .mesh = R"(<["a"=4, "b"=2, "c"=2]>)",
       .rule = "([ij, k])->([i, jk]) {i=2, j=4, k=4}",
       .operands = {R"([{"c", "a"}, {"b"}])"},
       .results = {"none"},
       .results_after = {R"([{"c", ?}, {"a", "b", ?}])"}},
      {.name = "TheMinorMostFactorNeedNotDivide",
       .mesh = R"(<["a"=6]>)",
       .rule = "([ij])->([i, j]) {i=2, j=4}",
       .operands = {R"([{"a"}])"},
       .results = {"none"},
       .results_after = {R"([{"a":(1)2, ?}, {"a":(2)3, ?}])"}},
      {.name = "AnOverflowIsNotPropagated",
       .mesh = R"(<["a"=3]>)",
       .rule = "([ij])->([i, j]) {i=2, j=4}",
       .operands = {R"([{"a"}])"},
       .results = {"none"},
       .results_after = {"none"}},
      {.name = "WhatIsBeforeAnOverflowIsPropagated",
       .mesh = R"(<["a"=2, "b"=3, "c"=2, "d"=2]>)",
       .rule = "([i, j, kl])->([i, j, k, l]) {i=2, j=2, k=8, l=4}",
       .operands = {R"([{"c"}, {?}, {"a", "b"}])"},
       .results = {R"([{?}, {"d"}, {?}, {?}])"},
       .operands_after = {R"([{"c"}, {"d", ?}, {"a", "b"}])"},
       .results_after = {R"([{"c", ?}, {"d"}, {"a", ?}, {?}])"}},
      {.name = "PartOfAnAxisIsBeforeAnOverflow",
       .mesh = R"(<["a"=6, "b"=2]>)",
       .rule = "([i, jk])->([i, j, k]) {i=2, j=8, k=4}",
       .operands = {R"([{?}, {"a"}])"},
       .results = {R"([{"b"}, {?}, {?}])"},
       .operands_after = {R"([{"b", ?}, {"a"}])"},
       .results_after = {R"([{"b"}, {"a":(1)2, ?}, {?}])"}},
      {.name = "SliceKeepsAxesThatDoNotDivide",
       .mesh = R"(<["a"=2, "b"=2]>)",
       .rule = "([i, j])->([i, j]) {i=8, j=8} permutation={i}",
       .operands = {R"([{"a", "b"}, {}])"},
       .results = {"none"},
       .results_after = {R"([{"a", "b", ?}, {?}])"}},
      {.name = "DataFlowEdgeTakesWhatItsSourcesShare",
       .mesh = R"(<["a"=2, "b"=2, "c"=2]>)",
       .rule = std::string(kVectorAdd),
       .operands = {R"([{"a", "b"}])", R"([{"a", "c"}])"},
       .results = {"none"},
       .results_after = {R"([{"a", ?}])"}},
      {.name = "UnreducedAxesStay",
       .mesh = R"(<["a"=2, "b"=2]>)",
       .rule = std::string(kMatmul),
       .operands = {R"([{"a"}, {"b"}])", "none"},
       .results = {R"([{?}, {?}], unreduced={"b"})"},
       .operands_after = {R"([{"a"}, {"b"}])", R"([{"b", ?}, {?}])"},
       .results_after = {R"([{"a", ?}, {?}], unreduced={"b"})"}},
      {.name = "UnreducedAxesAreNotUsed",
       .mesh = R"(<["a"=2, "b"=2]>)",
       .rule = "([i])->([i]) {i=8}",
       .operands = {R"([{"a", "b"}])"},
       .results = {R"([{?}], unreduced={"b"})"},
       .results_after = {R"([{"a", ?}], unreduced={"b"})"}},
      {.name = "ReplicatedAxesAreNotUsed",
       .mesh = R"(<["a"=2, "b"=8]>)",
       .rule = "([i])->([i]) {i=16}",
       .operands = {R"([{"a", "b"}])"},
       .results = {R"([{?}], replicated={"b":(2)2})"},
       .results_after = {R"([{"a", "b":(1)2, ?}], replicated={"b":(2)2})"}},
      // The reshaped operand could have "d":(1)2, the result "d":(1)3.
      {.name = "PartsThatDoNotFitAreNotUsed",
       .mesh = R"(<["d"=6]>)",
       .rule = "([ij], [i])->([i]) {i=2, j=4}",
       .operands = {"[{?}]", R"([{"d"}])"},
       .results = {R"([{?}], unreduced={"d":(3)2})"},
       .results_after = {R"([{?}], unreduced={"d":(3)2})"}},
      {.name = "BlockedFactorsStay",
       .mesh = R"(<["a"=2, "b"=2]>)",
       .rule = "([i, j])->([i, j]) {i=8, j=8} blocked_propagation={i}",
       .operands = {R"([{"a"}, {"b"}])"},
       .results = {"none"},
       .results_after = {R"([{?}, {"b", ?}])"}},
      {.name = "PrioritiesAreKept",
       .mesh = R"(<["a"=2, "b"=2]>)",
       .rule = std::string(kMatrixAdd),
       .operands = {R"([{"a"}p2, {"b"}])", R"([{?}p1, {?}])"},
       .results = {R"([{?}, {}])"},
       .operands_after = {R"([{"a"}p2, {"b"}])", R"([{"a", ?}p1, {?}])"},
       .results_after = {R"([{"a", ?}, {}])"}},
  };
  return cases;
}

const std::vector<Case>& AggressiveCases() {
  static const auto& cases = *new std::vector<Case>{
      {.name = "LargerSourceWins",
       .mesh = R"(<["a"=2, "b"=2, "c"=2]>)",
       .rule = "([i, k], [k, j])->([i, j]) {i=8, j=16, k=4} reduction={k}",
       .operands = {R"([{"a", "b"}, {?}])", R"([{?}, {"a", "c"}])"},
       .results = {"none"},
       .results_after = {R"([{?}, {"a", "c", ?}])"},
       .strategy = kAggressive},
      {.name = "FactorsBehindAnOverflowCountForTheSize",
       .mesh = R"(<["x"=2, "a"=3]>)",
       .rule = "([l, ijk], [m, n])->([l, m]) {i=2, j=2, k=16, l=8, m=8, n=16}",
       .operands = {R"([{"x"}, {"a"}])", R"([{"x"}, {?}])"},
       .results = {"none"},
       .results_after = {R"([{"x", ?}, {?}])"},
       .strategy = kAggressive},
      {.name = "FactorsOfOneTensorDoNotDisturbThoseOfAnother",
       .mesh = R"(<["a"=2, "b"=2, "c"=2, "d"=2]>)",
       .rule = "([i, j, l], [i, l, k])->([i, j, k]) {i=2, j=8, k=16, l=4} "
               "reduction={l}",
       .operands = {R"([{?}, {"a", "b"}, {?}])",
                    R"([{?}, {"d", "c"}, {"b", "a"}])"},
       .results = {R"([{"d"}, {?}, {?}])"},
       .operands_after = {R"([{"d", ?}, {"a", "b"}, {?}])",
                          R"([{?}, {"d", "c"}, {"b", "a"}])"},
       .results_after = {R"([{"d"}, {?}, {"b", "a", ?}])"},
       .strategy = kAggressive},
      {.name = "NothingGoesSidewaysPastAClosedResult",
       .mesh = R"(<["a"=2]>)",
       .rule = std::string(kVectorAdd),
       .operands = {R"([{"a"}])", "none"},
       .results = {"[{}]"},
       .strategy = kAggressive,
       .is_elementwise = true},
      // "d":(1)2 of the result begins what the first operand could have, but
      // has no place beside its "d":(3)2.
      {.name = "ASubAxisOfTheResultMayNotFit",
       .mesh = R"(<["d"=6]>)",
       .rule = std::string(kVectorAdd),
       .operands = {R"([{?}], unreduced={"d":(3)2})", R"([{"d"}])"},
       .results = {R"([{"d":(1)2}])"},
       .strategy = kAggressive,
       .is_elementwise = true},
      {.name = "SidewaysIsFineWhereTheOpIsNotElementwise",
       .mesh = R"(<["a"=2]>)",
       .rule = std::string(kVectorAdd),
       .operands = {R"([{"a"}])", "none"},
       .results = {"[{}]"},
       .operands_after = {R"([{"a"}])", R"([{"a", ?}])"},
       .strategy = kAggressive},
      {.name = "MoreShardsWinInAnElementwiseOp",
       .mesh = R"(<["a"=2, "b"=2]>)",
       .rule = std::string(kMatrixAdd),
       .operands = {R"([{"a"}, {}])", R"([{}, {"a", "b"}])"},
       .results = {"none"},
       .results_after = {R"([{?}, {"a", "b", ?}])"},
       .strategy = kAggressive,
       .is_elementwise = true},
      {.name = "TheEarlierTensorWins",
       .mesh = R"(<["a"=2, "b"=2]>)",
       .rule = std::string(kMatrixAdd),
       .operands = {R"([{"a"}, {}])", R"([{}, {"a", "b"}])"},
       .results = {"none"},
       .results_after = {R"([{"a", ?}, {?}])"},
       .strategy = kAggressive},
      {.name = "BasicLeavesSuchConflicts",
       .mesh = R"(<["a"=2, "b"=2]>)",
       .rule = std::string(kMatrixAdd),
       .operands = {R"([{"a"}, {}])", R"([{}, {"a", "b"}])"},
       .results = {"none"},
       .results_after = {"none"}},
      {.name = "AnAxisThatOneOperandUsesElsewhere",
       .mesh = R"(<["x"=2, "y"=2]>)",
       .rule = std::string(kCubeAdd),
       .operands = {R"([{}, {"x"}, {"y"}])", R"([{}, {"y"}, {?}])"},
       .results = {"none"},
       .results_after = {R"([{?}, {?}, {"y", ?}])"},
       .strategy = kAggressive,
       .is_elementwise = true},
  };
  return cases;
}

std::string NameOfCase(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Basic, PropagateOpTo, testing::ValuesIn(BasicCases()),
                         NameOfCase);
INSTANTIATE_TEST_SUITE_P(Aggressive, PropagateOpTo,
                         testing::ValuesIn(AggressiveCases()), NameOfCase);

// What user priorities do to an op: dims whose turn has not come are closed and
// empty, and their axes are replicated.
TEST(PropagateOp, ReplicatedAxesHoldBackDimsOfLowerPriority) {
  struct Row {
    Texts first;
    Texts second;
    std::string after;
  };
  const std::string x_y = R"([{}, {"x"}, {"y"}])";
  const std::string y = R"([{}, {"y"}, {?}])";
  for (const Row& row : {Row{{R"([{}, {"x"}, {}], replicated={"y"})",
                              R"([{}, {}, {?}], replicated={"y"})"},
                             {x_y, y},
                             R"([{?}, {"x", ?}, {"y", ?}])"},
                         Row{{R"([{}, {}, {}], replicated={"x", "y"})", y},
                             {x_y, y},
                             R"([{?}, {"y", ?}, {?}])"}}) {
    const OpShardingRule rule = RuleOfText(kCubeAdd);
    PropagateOpOptions options;
    options.is_elementwise = true;
    OpShardings shardings = {.operands = ShardingsOfTexts(row.first),
                             .results = {std::nullopt}};
    const CommonMesh mesh = OnMesh(R"(<["x"=2, "y"=2]>)");
    RunToFixedPoint(rule, mesh, options, shardings);
    shardings.operands = ShardingsOfTexts(row.second);
    RunToFixedPoint(rule, mesh, options, shardings);
    EXPECT_EQ(TextOfSharding(shardings.results[0]), row.after);
  }
}

TEST(PropagateOp, GoesInTheDirectionOfEachFactor) {
  const OpShardingRule rule =
      RuleOfText("([i, j, k])->([i, j, k]) {i=8, j=8, k=8}");
  const OpShardings shardings = {
      .operands = ShardingsOfTexts({R"([{"a", ?}, {?}, {"c", ?}])"}),
      .results = ShardingsOfTexts({R"([{?}, {"b", ?}, {"c", "d", ?}])"})};
  const auto updates = [&](PropagationStrategy strategy,
                           std::vector<PropagationDirection> directions) {
    const OpShardingUpdates u = PropagateOp(
        rule, OnMesh(R"(<["a"=2, "b"=2, "c"=2, "d"=2]>)"), shardings,
        {.strategy = strategy, .directions = std::move(directions)});
    return Texts{TextOfSharding(u.operands[0]), TextOfSharding(u.results[0])};
  };
  constexpr auto kNone = PropagationDirection::kNone;
  constexpr auto kForward = PropagationDirection::kForward;
  constexpr auto kBackward = PropagationDirection::kBackward;
  constexpr auto kBoth = PropagationDirection::kBoth;
  for (const PropagationStrategy strategy : {kBasic, kAggressive}) {
    EXPECT_THAT(updates(strategy, {}),
                ElementsAre(R"([{"a", ?}, {"b", ?}, {"c", "d", ?}])",
                            R"([{"a", ?}, {"b", ?}, {"c", "d", ?}])"));
    EXPECT_THAT(updates(strategy, {kForward, kForward, kForward}),
                ElementsAre("none", R"([{"a", ?}, {"b", ?}, {"c", "d", ?}])"));
    EXPECT_THAT(updates(strategy, {kBackward, kBackward, kBackward}),
                ElementsAre(R"([{"a", ?}, {"b", ?}, {"c", "d", ?}])", "none"));
    EXPECT_THAT(updates(strategy, {kForward, kNone, kBoth}),
                ElementsAre(R"([{"a", ?}, {?}, {"c", "d", ?}])",
                            R"([{"a", ?}, {"b", ?}, {"c", "d", ?}])"));
    EXPECT_THAT(updates(strategy, {kNone, kNone, kNone}),
                ElementsAre("none", "none"));
  }
}

TEST(PropagateOp, AnUpdatedTensorIsOnTheMeshOfTheOp) {
  const OpShardingRule rule = RuleOfText(kVectorAdd);
  const OpShardings shardings = {
      .operands = {ShardingOfText(R"([{"a"}])"),
                   UnshardedOn("empty", 1, /*is_closed=*/true)},
      .results = {UnshardedOn("empty", 1, /*is_closed=*/false)}};
  const OpShardingUpdates updates =
      PropagateOp(rule, OnMesh(R"(<["a"=2]>)"), shardings);
  EXPECT_FALSE(updates.operands[0].has_value());
  EXPECT_FALSE(updates.operands[1].has_value());
  EXPECT_EQ(updates.results[0], ShardingOfText(R"([{"a", ?}])"));
}

TEST(PropagateOp, ScalarsAreLeftAlone) {
  const OpShardingRule rule = RuleOfText("([i], [])->([]) {i=8} reduction={i}");
  const OpShardings shardings = {
      .operands = ShardingsOfTexts({R"([{"a"}])", "none"}),
      .results = ShardingsOfTexts({"none"})};
  EXPECT_FALSE(PropagateOp(rule, OnMesh(R"(<["a"=2]>)"), shardings).Any());
}

}  // namespace
}  // namespace lockstep::internal
