// Y-22 of docs/behaviour/shardings.md: factors that need
// replication.
#include <vector>

#include "gtest/gtest.h"
#include "runtime/sharding/op_reshards_testing.h"

namespace lockstep::internal {
namespace {

class OpThatNeedsReplication : public testing::TestWithParam<OpReshardsCase> {};

TEST_P(OpThatNeedsReplication, RunsAt) { ExpectRunsAt(GetParam()); }

constexpr char kX4Y2[] = R"(<["x"=4, "y"=2]>)";
constexpr char kX4Y2Z4[] = R"(<["x"=4, "y"=2, "z"=4]>)";

constexpr char kFft[] =
    "([i, j, k])->([i, j, k]) {i=128, j=32, k=64} need_replication={j, k}";
constexpr char kConcatenate[] =
    "([i, j, k], [i, j, k])->([i, j, k]) {i=8, j=80, k=256} "
    "need_replication={j}";

const std::vector<OpReshardsCase>& Cases() {
  static const auto& cases = *new std::vector<OpReshardsCase>{
      {.name = "AxesGoToABatchingFactor",
       .mesh = kX4Y2Z4,
       .rule = kFft,
       .operands = {R"([{"x"}, {"y"}, {"z"}])"},
       .results = {R"([{"x"}, {"y"}, {"z"}])"},
       .operands_after = {R"([{"x", "y", "z"}, {}, {}])"},
       .results_after = {R"([{"x", "y", "z"}, {}, {}])"}},
      {.name = "AsFarAsTheyDivideIt",
       .mesh = kX4Y2Z4,
       .rule = "([i, j, k])->([i, j, k]) {i=16, j=32, k=64} "
               "need_replication={j, k}",
       .operands = {R"([{"x"}, {"y"}, {"z"}])"},
       .results = {R"([{"x"}, {"y"}, {"z"}])"},
       .operands_after = {R"([{"x", "y"}, {}, {}])"},
       .results_after = {R"([{"x", "y"}, {}, {}])"}},
      // z fits neither, so the y behind it stays where it is.
      {.name = "InTheOrderOfTheFactorsAndOfTheAxes",
       .mesh = kX4Y2Z4,
       .rule = "([i, j, k])->([i, j, k]) {i=4, j=2, k=64} "
               "need_replication={k}",
       .operands = {R"([{}, {}, {"x", "z", "y"}])"},
       .results = {"[{}, {}, {}]"},
       .operands_after = {R"([{"x"}, {}, {}])"},
       .results_after = {R"([{"x"}, {}, {}])"}},
      {.name = "ToTheNextFactorWhenOneIsFull",
       .mesh = kX4Y2Z4,
       .rule = "([i, j, k])->([i, j, k]) {i=4, j=8, k=64} "
               "need_replication={k}",
       .operands = {R"([{}, {}, {"x", "z", "y"}])"},
       .results = {"[{}, {}, {}]"},
       .operands_after = {R"([{"x"}, {"z", "y"}, {}])"},
       .results_after = {R"([{"x"}, {"z", "y"}, {}])"}},
      {.name = "SubAxesAreMerged",
       .mesh = kX4Y2,
       .rule = "([i, j])->([i, j]) {i=8, j=8} need_replication={j}",
       .operands = {R"([{"x":(1)2}, {"x":(2)2}])"},
       .results = {R"([{"x":(1)2}, {}])"},
       .operands_after = {R"([{"x"}, {}])"},
       .results_after = {R"([{"x"}, {}])"}},
      {.name = "BatchingFactorWithAxesThatDoNotDivide",
       .mesh = R"(<["x"=3, "y"=2]>)",
       .rule = "([i, j])->([i, j]) {i=8, j=8} need_replication={j}",
       .operands = {R"([{"x"}, {"y"}])"},
       .results = {R"([{"x"}, {"y"}])"},
       .operands_after = {R"([{"x"}, {}])"},
       .results_after = {R"([{"x"}, {}])"}},
      {.name = "EmptyBatchingFactor",
       .mesh = kX4Y2,
       .rule = "([i, j])->([i, j]) {i=0, j=8} need_replication={j}",
       .operands = {R"([{}, {"x"}])"},
       .results = {"[{}, {}]"},
       .operands_after = {"[{}, {}]"}},
      {.name = "ConcatenatedDim",
       .mesh = kX4Y2,
       .rule = kConcatenate,
       .operands = {R"([{"x"}, {"y"}, {}])", R"([{}, {"y"}, {}])"},
       .results = {R"([{"x"}, {"y"}, {}])"},
       .operands_after = {R"([{"x", "y"}, {}, {}])", R"([{"x", "y"}, {}, {}])"},
       .results_after = {R"([{"x", "y"}, {}, {}])"},
       .operand_elements = {8 * 32 * 256, 8 * 48 * 256}},
      {.name = "FactorOfSomeTensorsAlone",
       .mesh = kX4Y2,
       .rule = "([i, j], [i])->([i]) {i=8, j=8} need_replication={j}",
       .operands = {R"([{}, {"x"}])", "[{}]"},
       .results = {"[{}]"},
       .operands_after = {"[{}, {}]", "[{}]"}},
      {.name = "ScalarsDoNotCount",
       .mesh = kX4Y2,
       .rule = "([i, j], [])->([i, j]) {i=8, j=8} need_replication={j}",
       .operands = {R"([{}, {"x"}])", "[]"},
       .results = {"[{}, {}]"},
       .operands_after = {R"([{"x"}, {}])", "[]"},
       .results_after = {R"([{"x"}, {}])"}},
      {.name = "PermutationFactorsAreNoBatchingFactors",
       .mesh = kX4Y2,
       .rule = "([i, j])->([i, j]) {i=8, j=8} need_replication={j} "
               "permutation={i}",
       .operands = {R"([{}, {"x"}])"},
       .results = {"[{}, {}]"},
       .operands_after = {"[{}, {}]"}},
      {.name = "UnreducedAxesStayOut",
       .mesh = kX4Y2,
       .rule = "([i, j])->([i, j]) {i=8, j=8} need_replication={j}",
       .operands = {R"([{}, {"x"}])"},
       .results = {R"([{}, {}], unreduced={"x"})"},
       .operands_after = {"[{}, {}]"},
       .results_after = {"[{}, {}]"}},
      {.name = "FactorsBehindOneThatIsNotFilledStayOut",
       .mesh = R"(<["x"=3, "y"=2]>)",
       .rule = "([ij, k])->([ij, k]) {i=8, j=9, k=9} need_replication={k}",
       .operands = {R"([{"y"}, {"x"}])"},
       .results = {R"([{"y"}, {"x"}])"},
       .operands_after = {R"([{"y"}, {}])"},
       .results_after = {R"([{"y"}, {}])"}},
      {.name = "FactorsBehindItStayOut",
       .mesh = kX4Y2,
       .rule = "([ij], [ij])->([i, j]) {i=2, j=8} need_replication={i}",
       .operands = {R"([{"y", "x"}])", R"([{"y", "x"}])"},
       .results = {R"([{"y"}, {"x"}])"},
       // y goes to j, which is then behind a factor without axes.
       .operands_after = {"[{}]", "[{}]"},
       .results_after = {"[{}, {}]"}},
  };
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, OpThatNeedsReplication,
                         testing::ValuesIn(Cases()), NameOfCase);

}  // namespace
}  // namespace lockstep::internal
