// Y-22 of docs/behaviour/shardings.md: which axes are best.
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/sharding/op_reshards_testing.h"

namespace lockstep::internal {
namespace {

class OpOfManyTensors : public testing::TestWithParam<OpReshardsCase> {};

TEST_P(OpOfManyTensors, RunsAt) { ExpectRunsAt(GetParam()); }

constexpr char kX2Y2Z2[] = R"(<["x"=2, "y"=2, "z"=2]>)";

constexpr char kAdd[] = "([i, j], [i, j])->([i, j]) {i=8, j=8}";
constexpr char kAddColumns[] = "([i], [i])->([i]) {i=64}";

const std::vector<OpReshardsCase>& Cases() {
  static const auto& cases = *new std::vector<OpReshardsCase>{
      {.name = "AxesOfMostElementsWin",
       .mesh = kX2Y2Z2,
       .rule = kAddColumns,
       .operands = {R"([{"x"}])", R"([{"x"}])"},
       .results = {R"([{"z", "y"}])"},
       .results_after = {R"([{"x"}])"}},
      {.name = "PrefixesCountToo",
       .mesh = kX2Y2Z2,
       .rule = kAddColumns,
       .operands = {R"([{"x", "y"}])", R"([{"x", "z"}])"},
       .results = {R"([{"y", "z"}])"},
       // x of two, then the larger name behind it.
       .operands_after = {R"([{"x", "z"}])", R"([{"x", "z"}])"},
       .results_after = {R"([{"x", "z"}])"}},
      {.name = "PrefixesThatArePartsOfAnAxisCountToo",
       .mesh = R"(<["x"=4, "y"=4]>)",
       .rule = kAddColumns,
       .operands = {R"([{"x":(1)2}])", R"([{"x"}])"},
       .results = {R"([{"y"}])"},
       .operands_after = {R"([{"x"}])", R"([{"x"}])"},
       .results_after = {R"([{"x"}])"}},
      {.name = "ThenMoreShards",
       .mesh = R"(<["x"=4, "y"=2]>)",
       .rule = kAddColumns,
       .operands = {R"([{"x"}])", R"([{"y"}])"},
       .results = {"[{}]"},
       .operands_after = {R"([{"x"}])", R"([{"x"}])"},
       .results_after = {R"([{"x"}])"}},
      {.name = "ThenLaterFactors",
       .mesh = kX2Y2Z2,
       .rule = kAdd,
       .operands = {R"([{"x"}, {}])", R"([{}, {"x"}])"},
       .results = {"[{}, {}]"},
       .operands_after = {R"([{}, {"x"}])", R"([{}, {"x"}])"},
       .results_after = {R"([{}, {"x"}])"}},
      // The names, not their order in the mesh.
      {.name = "ThenLaterNames",
       .mesh = R"(<["y"=2, "x"=2]>)",
       .rule = kAddColumns,
       .operands = {R"([{"y"}])", R"([{"x"}])"},
       .results = {"[{}]"},
       .operands_after = {R"([{"y"}])", R"([{"y"}])"},
       .results_after = {R"([{"y"}])"}},
      {.name = "LongerListsBeforeLaterNames",
       .mesh = R"(<["x"=2, "y"=2, "z"=4]>)",
       .rule = kAddColumns,
       .operands = {R"([{"x", "y"}])", R"([{"z"}])"},
       .results = {"[{}]"},
       .operands_after = {R"([{"x", "y"}])", R"([{"x", "y"}])"},
       .results_after = {R"([{"x", "y"}])"}},
      {.name = "PassThroughBeforeReduction",
       .mesh = R"(<["x"=2, "y"=4]>)",
       .rule = "([i, j], [i, j])->([i]) {i=8, j=8} reduction={j}",
       .operands = {R"([{"x"}, {}])", R"([{}, {"x"}])"},
       .results = {"[{}]"},
       .operands_after = {R"([{"x"}, {}])", R"([{"x"}, {}])"},
       .results_after = {R"([{"x"}])"}},
      {.name = "ReductionBeforePermutation",
       .mesh = kX2Y2Z2,
       .rule = "([j, i], [j, i])->([i]) {i=8, j=8} reduction={j} "
               "permutation={i}",
       .operands = {R"([{"x"}, {}])", R"([{}, {"x"}])"},
       .results = {"[{}]"},
       .operands_after = {R"([{"x"}, {}])", R"([{"x"}, {}])"},
       .all_reduce = R"("x")"},
      {.name = "PermutationBeforeNeedReplication",
       .mesh = kX2Y2Z2,
       .rule = "([i, j], [i, j])->([i, j]) {i=8, j=8} need_replication={j} "
               "permutation={i}",
       .operands = {R"([{"x"}, {}])", R"([{}, {"x"}])"},
       .results = {"[{}, {}]"},
       .operands_after = {R"([{"x"}, {}])", R"([{"x"}, {}])"},
       .results_after = {R"([{"x"}, {}])"}},
      // a, of four, is chosen for i. What is left of i is b, 2 more shards, and
      // of j c, 3.
      {.name = "OnlyFurtherShardsCount",
       .mesh = R"(<["a"=4, "b"=2, "c"=3]>)",
       .rule = "([i, j], [i, j], [i, j], [i, j])->([i, j]) {i=24, j=24}",
       .operands = {R"([{"a", "b"}, {}])", R"([{"a"}, {}])", R"([{"a"}, {}])",
                    R"([{}, {"c", "b"}])"},
       .results = {"[{}, {}]"},
       .operands_after = {R"([{"a"}, {"c", "b"}])", R"([{"a"}, {"c", "b"}])",
                          R"([{"a"}, {"c", "b"}])", R"([{"a"}, {"c", "b"}])"},
       .results_after = {R"([{"a"}, {"c", "b"}])"}},
      // The same, then d, of two, for j. i counts a and b again, as 8 shards,
      // which is more than the 3 of k.
      {.name = "WhatIsNotCutCountsAllShardsAgain",
       .mesh = R"(<["a"=4, "b"=2, "c"=3, "d"=2]>)",
       .rule = "([i, j, k], [i, j, k], [i, j, k], [i, j, k], [i, j, k])->"
               "([i, j, k]) {i=24, j=24, k=24}",
       .operands = {R"([{"a", "b"}, {}, {}])", R"([{"a"}, {}, {}])",
                    R"([{"a"}, {"d"}, {}])", R"([{}, {"d"}, {}])",
                    R"([{}, {}, {"c", "b"}])"},
       .results = {"[{}, {}, {}]"},
       .operands_after =
           std::vector<std::string>(5, R"([{"a", "b"}, {"d"}, {"c"}])"),
       .results_after = {R"([{"a", "b"}, {"d"}, {"c"}])"}},
      {.name = "PartsThatDoNotFitAreConflicts",
       .mesh = R"(<["x"=12]>)",
       .rule = kAdd,
       .operands = {R"([{}, {"x":(1)2}])", R"([{"x":(3)2}, {}])"},
       .results = {R"([{}, {"x":(1)2}])"},
       .operands_after = {R"([{}, {"x":(1)2}])", R"([{}, {"x":(1)2}])"}},
      {.name = "TensorsOfManyElements",
       .mesh = kX2Y2Z2,
       .rule = kAddColumns,
       .operands = {R"([{"x"}])", R"([{"x"}])"},
       .results = {R"([{"y"}])"},
       .results_after = {R"([{"x"}])"},
       .operand_elements = {int64_t{1} << 62, int64_t{1} << 62},
       .result_elements = {int64_t{1} << 62}},
  };
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, OpOfManyTensors, testing::ValuesIn(Cases()),
                         NameOfCase);

}  // namespace
}  // namespace lockstep::internal
