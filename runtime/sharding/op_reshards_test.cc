// Y-22 of docs/behaviour/shardings.md: partial results, and what else holds for
// all rules.
#include "runtime/sharding/op_reshards.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_mesh.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/sharding/common_mesh.h"
#include "runtime/sharding/op_sharding_testing.h"
#include "runtime/sharding/sharding_projection.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

constexpr absl::string_view kX4Y2 = R"(<["x"=4, "y"=2]>)";

CommonMesh OnMesh(absl::string_view text) {
  return {.reference = "mesh", .mesh = MeshOfText(text)};
}

OpReshards Choose(const OpShardingRule& rule, absl::string_view mesh,
                  const std::vector<std::string>& operands,
                  const std::vector<std::string>& results) {
  return ChooseOpShardings(
      rule, OnMesh(mesh),
      {.operands = ShardingsOfTexts(operands),
       .results = ShardingsOfTexts(results)},
      {.operand_elements = ElementsOf(rule, rule.operands()),
       .result_elements = ElementsOf(rule, rule.results())});
}

TEST(ChooseOpShardings, SumsOverTheAxesOfAllContractingDimsInMeshOrder) {
  constexpr absl::string_view kMesh = R"(<["x"=4, "y"=2, "z"=4]>)";
  const std::vector<std::string> operands = {R"([{}, {"y"}, {"x", "z"}])",
                                             R"([{"y"}, {"x", "z"}, {}])"};
  const OpReshards reshards =
      Choose(RuleOfText("([i, k, l], [k, l, j])->([i, j]) "
                        "{i=4, j=16, k=8, l=32} reduction={k, l}"),
             kMesh, operands, {"[{}, {}]"});
  EXPECT_THAT(TextsOfShardings(reshards.shardings.operands),
              ElementsAreArray(operands));
  EXPECT_THAT(TextsOfShardings(reshards.shardings.results),
              ElementsAre("[{}, {}]"));
  EXPECT_EQ(AxisRefsText(reshards.all_reduce), R"("x", "y", "z")");
}

TEST(ChooseOpShardings, SumsOverPartsOfAnAxisAsOne) {
  const OpReshards reshards =
      Choose(RuleOfText("([i, j])->([]) {i=8, j=32} reduction={i, j}"), kX4Y2,
             {R"([{"x":(2)2}, {"x":(1)2}])"}, {"[]"});
  EXPECT_EQ(AxisRefsText(reshards.all_reduce), R"("x")");
}

TEST(ChooseOpShardings, OperandsKeepTheUnreducedAxesThatResultsHave) {
  const OpShardingRule rule =
      RuleOfText("([i, j], [i, j])->([i, j]) {i=8, j=8}");
  const OpReshards reshards =
      Choose(rule, R"(<["x"=4, "y"=2, "z"=4]>)",
             {R"([{"y"}, {}], unreduced={"x", "z"})", R"([{"y"}, {}])"},
             {R"([{"y"}, {}], unreduced={"z":(1)2})"});
  EXPECT_THAT(
      TextsOfShardings(reshards.shardings.operands),
      ElementsAre(R"([{"y"}, {}], unreduced={"z":(1)2})", R"([{"y"}, {}])"));
  EXPECT_THAT(TextsOfShardings(reshards.shardings.results),
              ElementsAre(R"([{"y"}, {}], unreduced={"z":(1)2})"));
  EXPECT_EQ(AxisRefsText(reshards.operand_all_reduce[0]), R"("x", "z":(2)2)");
  EXPECT_EQ(AxisRefsText(reshards.operand_all_reduce[1]), "");
  EXPECT_EQ(AxisRefsText(reshards.all_reduce), "");
}

TEST(ChooseOpShardings, UnreducedAxesAreThoseOfTheFirstResult) {
  const OpReshards reshards =
      Choose(RuleOfText("([i, j])->([i], [i]) {i=8, j=8} reduction={j}"), kX4Y2,
             {R"([{}, {"x"}])"}, {R"([{}], unreduced={"x"})", R"([{"x"}])"});
  EXPECT_THAT(TextsOfShardings(reshards.shardings.operands),
              ElementsAre(R"([{}, {"x"}])"));
  EXPECT_THAT(
      TextsOfShardings(reshards.shardings.results),
      ElementsAre(R"([{}], unreduced={"x"})", R"([{}], unreduced={"x"})"));
  EXPECT_TRUE(reshards.all_reduce.empty());
}

TEST(ChooseOpShardings, CustomRulesChangeNoDims) {
  const OpReshards reshards = Choose(
      RuleOfText("([i, k], [k, j])->([i, j]) {i=8, j=8, k=8} reduction={k}, "
                 "custom"),
      kX4Y2, {R"([{"x", ?}, {"y"}])", R"([{"x"}, {}], unreduced={"y"})"},
      {R"([{"y"}, {?}])"});
  EXPECT_THAT(TextsOfShardings(reshards.shardings.operands),
              ElementsAre(R"([{"x"}, {"y"}])", R"([{"x"}, {}])"));
  EXPECT_THAT(TextsOfShardings(reshards.shardings.results),
              ElementsAre(R"([{"y"}, {}])"));
  EXPECT_TRUE(reshards.all_reduce.empty());
  EXPECT_EQ(AxisRefsText(reshards.operand_all_reduce[1]), R"("y")");
}

TEST(ChooseOpShardings, PutsAllTensorsOnTheMeshOfTheOp) {
  const OpShardingRule rule = RuleOfText("([i])->([i]) {i=8}");
  OpShardings shardings = {.operands = ShardingsOfTexts({R"([{"x"}])"}),
                           .results = ShardingsOfTexts({R"([{"x"}])"})};
  shardings.results[0]->mesh = "other_order";
  const OpReshards reshards =
      ChooseOpShardings(rule, OnMesh(kX4Y2), shardings,
                        {.operand_elements = {8}, .result_elements = {8}});
  EXPECT_THAT(reshards.shardings.results, ElementsAre(shardings.operands[0]));
}

TEST(UnshardedOp, HasAllOnEveryDevice) {
  const OpReshards reshards = UnshardedOp(
      OnMesh(kX4Y2),
      {.operands = ShardingsOfTexts(
           {R"([{"x"}, {?}])", "none", R"([{}], unreduced={"y", "x"})"}),
       .results = ShardingsOfTexts({R"([{"y"}])", "none"})},
      {2, 0, 1}, {1, 3});
  EXPECT_THAT(TextsOfShardings(reshards.shardings.operands),
              ElementsAre("[{}, {}]", "[]", "[{}]"));
  EXPECT_THAT(TextsOfShardings(reshards.shardings.results),
              ElementsAre("[{}]", "[{}, {}, {}]"));
  EXPECT_TRUE(reshards.all_reduce.empty());
  EXPECT_THAT(reshards.operand_all_reduce,
              ElementsAre(ElementsAre(), ElementsAre(),
                          ElementsAre(AxisRef("x"), AxisRef("y"))));
}

}  // namespace
}  // namespace lockstep::internal
