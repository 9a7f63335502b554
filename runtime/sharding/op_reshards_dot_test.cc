// Y-22 of docs/behaviour/shardings.md: dots.
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/sharding/common_mesh.h"
#include "runtime/sharding/op_reshards.h"
#include "runtime/sharding/op_sharding_testing.h"
#include "runtime/sharding/sharding_projection.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;

// A product of matrices i x k and k x j.
struct DotCase {
  std::string name;
  std::string sizes = "i=8, j=16, k=32";
  std::string lhs;
  std::string rhs;
  std::string result;
  // Empty: as before.
  std::string lhs_after = {};
  std::string rhs_after = {};
  std::string result_after = {};
  std::string all_reduce = {};

  friend std::ostream& operator<<(std::ostream& os, const DotCase& c) {
    return os << c.name;
  }
};

class Dot : public testing::TestWithParam<DotCase> {};

TEST_P(Dot, RunsAt) {
  const DotCase& c = GetParam();
  const OpShardingRule rule =
      RuleOfText("([i, k], [k, j])->([i, j]) {" + c.sizes + "} reduction={k}");
  const OpReshards reshards = ChooseOpShardings(
      rule, {.reference = "mesh", .mesh = MeshOfText(R"(<["x"=4, "y"=2]>)")},
      {.operands = ShardingsOfTexts({c.lhs, c.rhs}),
       .results = ShardingsOfTexts({c.result})},
      {.operand_elements = ElementsOf(rule, rule.operands()),
       .result_elements = ElementsOf(rule, rule.results())});
  const auto after = [](const std::string& text, const std::string& before) {
    return text.empty() ? before : text;
  };
  EXPECT_THAT(
      TextsOfShardings(reshards.shardings.operands),
      ElementsAre(after(c.lhs_after, c.lhs), after(c.rhs_after, c.rhs)));
  EXPECT_THAT(TextsOfShardings(reshards.shardings.results),
              ElementsAre(after(c.result_after, c.result)));
  EXPECT_EQ(AxisRefsText(reshards.all_reduce), c.all_reduce);
  EXPECT_THAT(reshards.operand_all_reduce,
              ElementsAre(ElementsAre(), ElementsAre()));
}

const std::vector<DotCase>& DotCases() {
  static const auto& cases = *new std::vector<DotCase>{
      {.name = "FreeDimsAgree",
       .lhs = R"([{"x"}, {}])",
       .rhs = R"([{}, {"y"}])",
       .result = R"([{"x"}, {"y"}])"},
      {.name = "ContractingDimsAgree",
       .lhs = R"([{"x"}, {"y"}])",
       .rhs = R"([{"y"}, {}])",
       .result = R"([{"x"}, {}])",
       .all_reduce = R"("y")"},
      {.name = "ReduceScatter",
       .lhs = R"([{"x"}, {"y"}])",
       .rhs = R"([{"y"}, {}])",
       .result = R"([{"x"}, {"y"}])",
       .result_after = R"([{"x"}, {}])",
       .all_reduce = R"("y")"},
      {.name = "ReduceScatterToTheSameDim",
       .lhs = R"([{"x"}, {"y"}])",
       .rhs = R"([{"y"}, {}])",
       .result = R"([{"y", "x"}, {}])",
       .result_after = R"([{"x"}, {}])",
       .all_reduce = R"("y")"},
      {.name = "FreeDimsHaveOneAxis",
       .lhs = R"([{"x"}, {"y"}])",
       .rhs = R"([{"y"}, {"x"}])",
       .result = "[{}, {}]",
       .lhs_after = R"([{}, {"y"}])",
       .result_after = R"([{}, {"x"}])",
       .all_reduce = R"("y")"},
      {.name = "FreeDimsHaveOneAxisThatTheResultHasInTheFirst",
       .lhs = R"([{"x"}, {"y"}])",
       .rhs = R"([{"y"}, {"x"}])",
       .result = R"([{"x"}, {}])",
       .lhs_after = R"([{}, {"y"}])",
       .result_after = R"([{}, {"x"}])",
       .all_reduce = R"("y")"},
      {.name = "ResultHasTheAxisInTheOtherDim",
       .lhs = R"([{"x"}, {"y"}])",
       .rhs = R"([{"y"}, {}])",
       .result = R"([{}, {"x"}])",
       .result_after = R"([{"x"}, {}])",
       .all_reduce = R"("y")"},
      // 32 elements of lhs and 64 of rhs against 128 of the result.
      {.name = "ResultHasTheAxisInTheOtherDimAndIsLarger",
       .sizes = "i=8, j=16, k=4",
       .lhs = R"([{"x"}, {"y"}])",
       .rhs = R"([{"y"}, {}])",
       .result = R"([{}, {"x"}])",
       .lhs_after = R"([{}, {"y"}])",
       .rhs_after = R"([{"y"}, {"x"}])",
       .all_reduce = R"("y")"},
      // As many elements as lhs: then the later factor.
      {.name = "ResultHasTheAxisInTheOtherDimAndIsAsLarge",
       .sizes = "i=8, j=16, k=16",
       .lhs = R"([{"x"}, {"y"}])",
       .rhs = R"([{"y"}, {}])",
       .result = R"([{}, {"x"}])",
       .lhs_after = R"([{}, {"y"}])",
       .rhs_after = R"([{"y"}, {"x"}])",
       .all_reduce = R"("y")"},
      {.name = "LargeContractedTensorKeepsItsSharding",
       .sizes = "i=4, j=4096, k=4096",
       .lhs = R"([{"x"}, {}])",
       .rhs = R"([{"x"}, {}])",
       .result = R"([{"x"}, {}])",
       .lhs_after = R"([{}, {"x"}])",
       .result_after = "[{}, {}]",
       .all_reduce = R"("x")"},
      {.name = "SquareOfAMatrix",
       .sizes = "i=16, j=16, k=16",
       .lhs = R"([{"x"}, {"y"}])",
       .rhs = R"([{"x"}, {"y"}])",
       .result = R"([{"x"}, {"y"}])",
       .lhs_after = R"([{"x"}, {}])",
       .rhs_after = R"([{}, {"y"}])"},
      {.name = "ContractingDimOfOneOperandAlone",
       .lhs = R"([{"x"}, {"y"}])",
       .rhs = R"([{}, {"y"}])",
       .result = R"([{"x"}, {"y"}])",
       .lhs_after = R"([{"x"}, {}])"},
      {.name = "ResultOfSwappedAxesIsResharded",
       .lhs = R"([{"x"}, {}])",
       .rhs = R"([{}, {"y"}])",
       .result = R"([{"y"}, {"x"}])",
       .result_after = R"([{"x"}, {"y"}])"},
      {.name = "OperandsOfALargeResultOfSwappedAxesAreResharded",
       .sizes = "i=128, j=256, k=4",
       .lhs = R"([{"x"}, {}])",
       .rhs = R"([{}, {"y"}])",
       .result = R"([{"y"}, {"x"}])",
       .lhs_after = R"([{"y"}, {}])",
       .rhs_after = R"([{}, {"x"}])"},
      {.name = "AllDiffer",
       .lhs = R"([{"x"}, {"y"}])",
       .rhs = R"([{"x"}, {"y"}])",
       .result = R"([{"y"}, {"x"}])",
       .lhs_after = R"([{}, {"x"}])",
       .result_after = R"([{}, {"y"}])",
       .all_reduce = R"("x")"},
      {.name = "ResultAddsAnAxis",
       .lhs = R"([{}, {"y"}])",
       .rhs = R"([{"y"}, {}])",
       .result = R"([{"x"}, {}])",
       .lhs_after = R"([{"x"}, {"y"}])",
       .all_reduce = R"("y")"},
      {.name = "SubAxesOfOneAxis",
       .lhs = R"([{"x":(1)2}, {"y"}])",
       .rhs = R"([{"y"}, {}])",
       .result = R"([{}, {"x":(2)2}])",
       .rhs_after = R"([{"y"}, {"x":(2)2}])",
       .result_after = R"([{"x":(1)2}, {"x":(2)2}])",
       .all_reduce = R"("y")"},
      {.name = "AnAxisIsCutBeforeItsSubAxis",
       .lhs = R"([{"x":(2)2}, {"y"}])",
       .rhs = R"([{"y"}, {}])",
       .result = R"([{}, {"x"}])",
       .rhs_after = R"([{"y"}, {"x":(1)2}])",
       .result_after = R"([{"x":(2)2}, {"x":(1)2}])",
       .all_reduce = R"("y")"},
      {.name = "MissingShardingsHaveNoAxes",
       .lhs = "none",
       .rhs = "none",
       .result = R"([{"x"}, {}])",
       .lhs_after = R"([{"x"}, {}])",
       .rhs_after = "[{}, {}]"},
      {.name = "WhatIsNoAxisIsClosedAndDropped",
       .lhs = R"([{"x", ?}p1, {?}], replicated={"y"})",
       .rhs = "[{?}, {?}]",
       .result = R"([{"x", ?}, {}])",
       .lhs_after = R"([{"x"}, {}])",
       .rhs_after = "[{}, {}]",
       .result_after = R"([{"x"}, {}])"},
      {.name = "UnreducedResultIsNotReduced",
       .lhs = R"([{"x"}, {"y"}])",
       .rhs = R"([{"y"}, {}])",
       .result = R"([{"x"}, {}], unreduced={"y"})"},
      {.name = "PartOfAnAxisIsReduced",
       .lhs = R"([{"y"}, {"x"}])",
       .rhs = R"([{"x"}, {}])",
       .result = R"([{"y"}, {}], unreduced={"x":(1)2})",
       .all_reduce = R"("x":(2)2)"},
      // No sums of the op are partial along the rest of x: what it computes is
      // resharded to partial results.
      {.name = "UnreducedAxesAreThoseOfSums",
       .lhs = R"([{}, {"x":(1)2, "y"}])",
       .rhs = R"([{"x":(1)2, "y"}, {}])",
       .result = R"([{}, {}], unreduced={"x"})",
       .result_after = R"([{}, {}], unreduced={"x":(1)2})",
       .all_reduce = R"("y")"},
      {.name = "WithoutSumsNothingIsUnreduced",
       .lhs = "[{}, {}]",
       .rhs = "[{}, {}]",
       .result = R"([{}, {}], unreduced=max{"x"})",
       .result_after = "[{}, {}]"},
      // y cannot split the result as well.
      {.name = "UnreducedAxesAreNoAxesOfTheResult",
       .lhs = R"([{"y"}, {"x"}])",
       .rhs = "[{}, {}]",
       .result = R"([{}, {}], unreduced={"y"})",
       .lhs_after = R"([{}, {"x"}])",
       .rhs_after = R"([{"x"}, {}])",
       .result_after = "[{}, {}]",
       .all_reduce = R"("x")"},
  };
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, Dot, testing::ValuesIn(DotCases()),
                         [](const testing::TestParamInfo<DotCase>& info) {
                           return info.param.name;
                         });

}  // namespace
}  // namespace lockstep::internal
