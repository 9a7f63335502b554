#ifndef LOCKSTEP_RUNTIME_SHARDING_OP_RESHARDS_TESTING_H_
#define LOCKSTEP_RUNTIME_SHARDING_OP_RESHARDS_TESTING_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

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

// An op, and at which shardings it runs.
struct OpReshardsCase {
  using Texts = std::vector<std::string>;

  std::string name;
  std::string mesh;
  std::string rule;
  Texts operands;
  Texts results;
  // Empty: as before.
  Texts operands_after = {};
  Texts results_after = {};
  std::string all_reduce = {};
  bool is_reshape = false;
  // Empty: the products of the factors.
  std::vector<int64_t> operand_elements = {};
  std::vector<int64_t> result_elements = {};

  friend std::ostream& operator<<(std::ostream& os, const OpReshardsCase& c) {
    return os << c.name;
  }
};

inline std::string NameOfCase(
    const testing::TestParamInfo<OpReshardsCase>& info) {
  return info.param.name;
}

inline void ExpectRunsAt(const OpReshardsCase& c) {
  const OpShardingRule rule = RuleOfText(c.rule);
  OpTraits traits = {.operand_elements = ElementsOf(rule, rule.operands()),
                     .result_elements = ElementsOf(rule, rule.results()),
                     .is_reshape = c.is_reshape};
  if (!c.operand_elements.empty()) traits.operand_elements = c.operand_elements;
  if (!c.result_elements.empty()) traits.result_elements = c.result_elements;
  const OpReshards reshards =
      ChooseOpShardings(rule, {.reference = "mesh", .mesh = MeshOfText(c.mesh)},
                        {.operands = ShardingsOfTexts(c.operands),
                         .results = ShardingsOfTexts(c.results)},
                        traits);
  EXPECT_THAT(TextsOfShardings(reshards.shardings.operands),
              testing::ElementsAreArray(
                  c.operands_after.empty() ? c.operands : c.operands_after));
  EXPECT_THAT(TextsOfShardings(reshards.shardings.results),
              testing::ElementsAreArray(
                  c.results_after.empty() ? c.results : c.results_after));
  EXPECT_EQ(AxisRefsText(reshards.all_reduce), c.all_reduce);
}

}  // namespace lockstep::internal

#endif  // LOCKSTEP_RUNTIME_SHARDING_OP_RESHARDS_TESTING_H_
