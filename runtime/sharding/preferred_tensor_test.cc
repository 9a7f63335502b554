// Y-22 of docs/behaviour/shardings.md: ops of two tensors.
#include <vector>

#include "gtest/gtest.h"
#include "runtime/sharding/op_reshards_testing.h"

namespace lockstep::internal {
namespace {

class OpOfTwoTensors : public testing::TestWithParam<OpReshardsCase> {};

TEST_P(OpOfTwoTensors, RunsAt) { ExpectRunsAt(GetParam()); }

constexpr char kX4Y2[] = R"(<["x"=4, "y"=2]>)";
constexpr char kX4Y2Z4[] = R"(<["x"=4, "y"=2, "z"=4]>)";

constexpr char kNegate[] = "([i, j])->([i, j]) {i=4, j=32}";
constexpr char kSlice[] =
    "([i, j, k])->([i, j, k]) {i=28, j=28, k=16} permutation={i, j}";
constexpr char kPad[] =
    "([i, j, k], [])->([i, j, k]) {i=28, j=28, k=16} permutation={i, j}";

const std::vector<OpReshardsCase>& Cases() {
  static const auto& cases = *new std::vector<OpReshardsCase>{
      {.name = "OneWithoutAxes",
       .mesh = kX4Y2,
       .rule = kNegate,
       .operands = {"[{}, {}]"},
       .results = {R"([{"x"}, {}])"},
       .operands_after = {R"([{"x"}, {}])"}},
      {.name = "OperandOfMoreShards",
       .mesh = kX4Y2,
       .rule = kNegate,
       .operands = {R"([{"x"}, {}])"},
       .results = {R"([{}, {"y"}])"},
       .results_after = {R"([{"x"}, {}])"}},
      {.name = "ResultOfMoreShards",
       .mesh = kX4Y2,
       .rule = kNegate,
       .operands = {R"([{"y"}, {}])"},
       .results = {R"([{}, {"x"}])"},
       .operands_after = {R"([{}, {"x"}])"}},
      {.name = "TheFirstOfTwoAlike",
       .mesh = kX4Y2Z4,
       .rule = kNegate,
       .operands = {R"([{"x"}, {}])"},
       .results = {R"([{"z"}, {}])"},
       .results_after = {R"([{"x"}, {}])"}},
      {.name = "TheLargerOfMoreShards",
       .mesh = kX4Y2,
       .rule = kSlice,
       .operands = {R"([{}, {}, {"y"}])"},
       .results = {R"([{}, {}, {"x"}])"},
       .results_after = {R"([{}, {}, {"y"}])"},
       .operand_elements = {28 * 28 * 16},
       .result_elements = {28 * 26 * 16}},
      {.name = "TheSmallerWithoutPermutation",
       .mesh = kX4Y2Z4,
       .rule = kPad,
       .operands = {R"([{"z"}, {}, {"x"}])", "[]"},
       .results = {R"([{}, {}, {"y"}])"},
       .operands_after = {R"([{}, {}, {"y"}])", "[]"},
       .operand_elements = {28 * 28 * 16, 1},
       .result_elements = {30 * 26 * 16}},
      {.name = "TheLargerOfTwoWithPermutation",
       .mesh = kX4Y2Z4,
       .rule = kPad,
       .operands = {R"([{"y"}, {}, {"x"}])", "[]"},
       .results = {R"([{}, {"y"}, {"z"}])"},
       .operands_after = {R"([{}, {"y"}, {"z"}])", "[]"},
       .operand_elements = {28 * 28 * 16, 1},
       .result_elements = {30 * 30 * 16}},
      {.name = "FactorsOfTheOtherUpToAnOverlap",
       .mesh = kX4Y2Z4,
       .rule = "([i])->([i, j]) {i=4, j=64}",
       .operands = {R"([{"y"}])"},
       .results = {R"([{"x":(2)2}, {"z", "x"}])"},
       .operands_after = {R"([{"x":(2)2}])"},
       .result_elements = {256}},
      {.name = "FactorsOfTheSmallerUpToAnOverlap",
       .mesh = kX4Y2Z4,
       .rule = "([i, j], [])->([i]) {i=8, j=8} reduction={j}",
       .operands = {R"([{"x"}, {"y", "z":(1)2}])", "[]"},
       .results = {R"([{"z":(2)2}])"},
       .operands_after = {R"([{"z":(2)2}, {"y", "z":(1)2}])", "[]"},
       .all_reduce = R"("y", "z":(1)2)",
       .operand_elements = {64, 1},
       .result_elements = {100}},
      {.name = "FactorsOfTheSmallerBeforeAnOverlap",
       .mesh = kX4Y2Z4,
       .rule = "([i, j], [])->([i]) {i=8, j=8} reduction={j}",
       .operands = {R"([{"x"}, {"y", "z"}])", "[]"},
       .results = {R"([{"z":(2)2}])"},
       .operands_after = {R"([{"z":(2)2}, {"y", "z":(1)2}])", "[]"},
       .all_reduce = R"("y", "z":(1)2)",
       .operand_elements = {64, 1},
       .result_elements = {100}},
      {.name = "AxesThatDoNotDivide",
       .mesh = R"(<["x"=3, "y"=2]>)",
       .rule = kNegate,
       .operands = {R"([{"x"}, {}])"},
       .results = {R"([{"y"}, {}])"},
       .results_after = {R"([{"x"}, {}])"}},
  };
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, OpOfTwoTensors, testing::ValuesIn(Cases()),
                         NameOfCase);

}  // namespace
}  // namespace lockstep::internal
