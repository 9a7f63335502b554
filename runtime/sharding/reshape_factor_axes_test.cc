// Y-22 of docs/behaviour/shardings.md: dims of several factors.
#include <vector>

#include "gtest/gtest.h"
#include "runtime/sharding/op_reshards_testing.h"

namespace lockstep::internal {
namespace {

class Reshape : public testing::TestWithParam<OpReshardsCase> {};

TEST_P(Reshape, RunsAt) { ExpectRunsAt(GetParam()); }

constexpr char kX4Y2[] = R"(<["x"=4, "y"=2]>)";
constexpr char kX4Y2Z4[] = R"(<["x"=4, "y"=2, "z"=4]>)";

constexpr char kSplit[] = "([ij])->([i, j]) {i=4, j=8}";
constexpr char kMerge[] = "([i, j])->([ij]) {i=4, j=8}";
constexpr char kMove[] = "([ij, k])->([i, jk]) {i=4, j=2, k=8}";

const std::vector<OpReshardsCase>& WithoutOverflow() {
  static const auto& cases = *new std::vector<OpReshardsCase>{
      {.name = "MergesWholeAxes",
       .mesh = kX4Y2,
       .rule = kMerge,
       .operands = {R"([{"x"}, {"y"}])"},
       .results = {R"([{"x", "y"}])"}},
      {.name = "SplitsAnAxis",
       .mesh = kX4Y2,
       .rule = "([ij])->([i, j]) {i=2, j=8}",
       .operands = {R"([{"x", "y"}])"},
       .results = {R"([{"x":(1)2}, {"x":(2)2, "y"}])"}},
      {.name = "MergedAxesInAnotherOrder",
       .mesh = kX4Y2,
       .rule = kMerge,
       .operands = {R"([{"x"}, {"y"}])"},
       .results = {R"([{"y", "x"}])"},
       .operands_after = {R"([{"y", "x":(1)2}, {"x":(2)2}])"}},
      {.name = "ASecondDimAlone",
       .mesh = kX4Y2,
       .rule = kSplit,
       .operands = {"[{}]"},
       .results = {R"([{}, {"x"}])"},
       .results_after = {"[{}, {}]"}},
      {.name = "ASecondDimBehindOneThatIsNotFilled",
       .mesh = kX4Y2,
       .rule = kMerge,
       .operands = {R"([{"y"}, {"x"}])"},
       .results = {R"([{"y"}])"},
       .operands_after = {R"([{"y"}, {}])"}},
      {.name = "AFilledFactorMakesWayForTheNext",
       .mesh = kX4Y2Z4,
       .rule = kMove,
       .operands = {R"([{}, {"x"}])"},
       .results = {R"([{"z"}, {"y"}])"},
       .operands_after = {R"([{"z", "y"}, {"x"}])"},
       .results_after = {R"([{"z"}, {"y", "x"}])"}},
      {.name = "AFactorBehindOneThatIsNotFilledTakesNoAxis",
       .mesh = kX4Y2,
       .rule = kMove,
       .operands = {R"([{}, {"x"}])"},
       .results = {R"([{"x"}, {}])"},
       .operands_after = {R"([{"x"}, {}])"}},
      {.name = "AFactorInTheMiddleIsNotFilled",
       .mesh = kX4Y2,
       .rule = "([i, jk])->([ij, k]) {i=2, j=4, k=2}",
       .operands = {R"([{}, {"y"}])"},
       .results = {R"([{}, {"y"}])"},
       .operands_after = {"[{}, {}]"},
       .results_after = {"[{}, {}]"}},
      // x of six splits i, the last factor of its dim in the result, but not
      // in the operand.
      {.name = "OnlyWhatDividesAFactorThatIsSomewhereNotTheLast",
       .mesh = R"(<["x"=6]>)",
       .rule = kSplit,
       .operands = {"[{}]"},
       .results = {R"([{"x"}, {}])"},
       .operands_after = {R"([{"x":(1)2}])"},
       .results_after = {R"([{"x":(1)2}, {}])"}},
      {.name = "AxesOfOneDeviceAreDropped",
       .mesh = R"(<["u"=1, "x"=4]>)",
       .rule = kSplit,
       .operands = {R"([{"x", "u"}])"},
       .results = {R"([{"u"}, {}])"},
       .operands_after = {R"([{"x"}])"},
       .results_after = {R"([{"x"}, {}])"}},
      {.name = "UnreducedAxesStayOut",
       .mesh = kX4Y2,
       .rule = kSplit,
       .operands = {R"([{"x", "y"}])"},
       .results = {R"([{}, {}], unreduced={"y"})"},
       .operands_after = {R"([{"x"}])"},
       .results_after = {R"([{"x"}, {}])"}},
  };
  return cases;
}
INSTANTIATE_TEST_SUITE_P(WithoutOverflow, Reshape,
                         testing::ValuesIn(WithoutOverflow()), NameOfCase);

const std::vector<OpReshardsCase>& WithOverflow() {
  static const auto& cases = *new std::vector<OpReshardsCase>{
      {.name = "OfTheOperand",
       .mesh = kX4Y2,
       .rule = "([ij])->([i, j]) {i=6, j=2}",
       .operands = {R"([{"x", "y"}])"},
       .results = {"[{}, {}]"},
       .operands_after = {R"([{"x":(1)2}])"},
       .results_after = {R"([{"x":(1)2}, {}])"},
       .is_reshape = true},
      {.name = "OfTheResult",
       .mesh = kX4Y2,
       .rule = "([i, j])->([ij]) {i=6, j=2}",
       .operands = {"[{}, {}]"},
       .results = {R"([{"x", "y"}])"},
       .operands_after = {R"([{"x":(1)2}, {}])"},
       .results_after = {R"([{"x":(1)2}])"},
       .is_reshape = true},
      // y goes to both factors, behind the parts of x that they take.
      {.name = "IsHandedOutToTheFactorsThatAreDivided",
       .mesh = R"(<["x"=6, "y"=4096]>)",
       .rule = "([ij, k, l])->([i, jk, l]) {i=4, j=6144, k=8192, l=16384}",
       .operands = {R"([{"x", "y"}, {}, {}])"},
       .results = {R"([{}, {"x", "y"}, {}])"},
       .operands_after =
           {R"([{"x":(1)2, "y":(1)2, "x":(2)3, "y":(2)2048}, {}, {}])"},
       .results_after =
           {R"([{"x":(1)2, "y":(1)2}, {"x":(2)3, "y":(2)2048}, {}])"},
       .is_reshape = true},
      {.name = "IsHandedOutTheOtherWayToo",
       .mesh = R"(<["x"=6, "y"=4096]>)",
       .rule = "([i, jk, l])->([ij, k, l]) {i=4, j=6144, k=8192, l=16384}",
       .operands = {R"([{}, {"x", "y"}, {}])"},
       .results = {R"([{"x", "y"}, {}, {}])"},
       .operands_after =
           {R"([{"x":(1)2, "y":(1)2}, {"x":(2)3, "y":(2)2048}, {}])"},
       .results_after =
           {R"([{"x":(1)2, "y":(1)2, "x":(2)3, "y":(2)2048}, {}, {}])"},
       .is_reshape = true},
      {.name = "IsNotHandedOutBehindAFactorThatIsNotFilled",
       .mesh = R"(<["s"=128]>)",
       .rule = "([i, j, k])->([ijk]) {i=24, j=45, k=80}",
       .operands = {"[{}, {}, {}]"},
       .results = {R"([{"s"}])"},
       .operands_after = {R"([{"s":(1)8}, {}, {}])"},
       .results_after = {R"([{"s":(1)8}])"},
       .is_reshape = true},
      {.name = "OfTheSideWithMoreShards",
       .mesh = R"(<["x"=3, "y"=2, "z"=8]>)",
       .rule = "([ij])->([i, j]) {i=2, j=12}",
       .operands = {R"([{"x", "y"}])"},
       .results = {R"([{"z"}, {}])"},
       .operands_after = {R"([{"z"}])"},
       .results_after = {R"([{"z":(1)2}, {"z":(2)4}])"},
       .is_reshape = true},
      {.name = "OfTheOperandWhereBothHaveAsMany",
       .mesh = R"(<["x"=3, "y"=2, "z"=6]>)",
       .rule = "([ij])->([i, j]) {i=2, j=12}",
       .operands = {R"([{"x", "y"}])"},
       .results = {R"([{"z"}, {}])"},
       .operands_after = {R"([{"y", "x"}])"},
       .results_after = {R"([{"y"}, {"x"}])"},
       .is_reshape = true},
      {.name = "WithoutAFactorThatItDivides",
       .mesh = R"(<["x"=5, "y"=2]>)",
       .rule = "([ij])->([i, j]) {i=2, j=4}",
       .operands = {R"([{"x", "y"}])"},
       .results = {"[{}, {}]"},
       .operands_after = {"[{}]"},
       .is_reshape = true},
      // Factors of one side alone do not share an axis.
      {.name = "OfFactorsOfOneSideAlone",
       .mesh = R"(<["x"=4]>)",
       .rule = "([k, ij])->([i, j, l]) {i=3, j=2, k=4, l=8}",
       .operands = {R"([{}, {"x"}])"},
       .results = {"[{}, {}, {}]"},
       .operands_after = {R"([{"x"}, {}])"},
       .is_reshape = true},
      {.name = "NotOfFactorsThatNeedReplication",
       .mesh = R"(<["x"=4]>)",
       .rule = "([k, ij])->([i, j, l]) {i=3, j=2, k=4, l=8} "
               "need_replication={k, l}",
       .operands = {R"([{}, {"x"}])"},
       .results = {"[{}, {}, {}]"},
       .operands_after = {"[{}, {}]"},
       .is_reshape = true},
      {.name = "BesideUnreducedAxes",
       .mesh = R"(<["x"=6, "y"=2]>)",
       .rule = "([ij])->([i, j]) {i=4, j=4}",
       .operands = {R"([{"x", "y"}])"},
       .results = {R"([{}, {}], unreduced={"y"})"},
       .operands_after = {R"([{"x":(1)2}])"},
       .results_after = {R"([{"x":(1)2}, {}])"},
       .is_reshape = true},
      // What does not divide a factor of another op is dropped.
      {.name = "OfAnotherOp",
       .mesh = R"(<["x"=3, "y"=2]>)",
       .rule = "([ij])->([i, j]) {i=4, j=4}",
       .operands = {R"([{"y", "x"}])"},
       .results = {"[{}, {}]"},
       .operands_after = {R"([{"y"}])"},
       .results_after = {R"([{"y"}, {}])"}},
  };
  return cases;
}
INSTANTIATE_TEST_SUITE_P(WithOverflow, Reshape,
                         testing::ValuesIn(WithOverflow()), NameOfCase);

}  // namespace
}  // namespace lockstep::internal
