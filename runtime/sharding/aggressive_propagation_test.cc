// Y-15 of docs/behaviour/shardings.md: one aggressive step through ops with
// many conflicts, as in Shardy's tests of that strategy.
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/sharding/common_mesh.h"
#include "runtime/sharding/op_sharding_testing.h"
#include "runtime/sharding/propagate_op.h"
#include "runtime/sharding/sharding_projection.h"

namespace lockstep::internal {
namespace {

using ::testing::ElementsAre;

constexpr absl::string_view kMesh =
    R"(<["a"=2, "b"=2, "c"=2, "d"=2, "e"=2, "f"=2, "g"=2, "h"=16, "i"=8, )"
    R"("j"=16, "k"=16]>)";

// The shardings after a step.
OpShardings Propagated(absl::string_view rule_text,
                       const std::vector<std::string>& operands,
                       const std::vector<std::string>& results) {
  const OpShardingRule rule = RuleOfText(rule_text);
  OpShardings shardings = {.operands = ShardingsOfTexts(operands),
                           .results = ShardingsOfTexts(results)};
  PropagateOp(rule, {.reference = "mesh", .mesh = MeshOfText(kMesh)}, shardings)
      .ApplyTo(shardings);
  return shardings;
}

// Of two factors with the axis "a" the first gets it, since its source is the
// first operand; other axes can go along one factor only.
TEST(AggressivePropagation, SettlesOnlyRealConflicts) {
  const std::vector<std::string> operands = {
      R"([{"a", ?}, {"c", ?}, {"b", ?}, {"e", ?}, {?}, {"f", ?}, {"g", ?}])",
      R"([{"a", ?}, {?}, {"c", ?}, {?}, {"b", ?}, {?}, {"e", ?}, {"g", ?}, )"
      R"({"f", ?}])"};
  const OpShardings after = Propagated(
      "([i, k, m, o, p, q, s], [j, k, l, m, n, o, p, r, s])->"
      "([i, j, k, l, m, n, o, p, q, r]) {i=1, j=1, k=1, l=1, m=1, n=1, o=1, "
      "p=1, q=1, r=1, s=1}",
      operands, {"[{?}, {?}, {}, {?}, {}, {?}, {}, {?}, {?}, {?}]"});
  EXPECT_EQ(TextsOfShardings(after.operands), operands);
  EXPECT_THAT(TextsOfShardings(after.results),
              ElementsAre(R"([{"a", ?}, {?}, {}, {"c", ?}, {}, {"b", ?}, {}, )"
                          R"({"e", ?}, {"f", ?}, {"g", ?}])"));
}

TEST(AggressivePropagation, FactorsThatNoTensorHasBothShareAnAxis) {
  const OpShardings after =
      Propagated("([i], [j])->([i], [j]) {i=1, j=1}",
                 {R"([{"a", ?}])", R"([{"a", ?}])"}, {"[{?}]", "[{?}]"});
  EXPECT_THAT(TextsOfShardings(after.results),
              ElementsAre(R"([{"a", ?}])", R"([{"a", ?}])"));
}

TEST(AggressivePropagation, StopsAtReplicatedAndUnreducedAxes) {
  const OpShardings after = Propagated(
      "([i, l], [j, k], [i, m])->([i, l], [i, k], [m, n]) {i=1, j=1, k=1, "
      "l=1, m=1, n=1}",
      {R"([{"a", ?}, {"h":(1)2, "i", ?}], unreduced={"c"})",
       R"([{"b", ?}, {"f"}], replicated={"h":(1)2})",
       R"([{?}, {"j":(1)8, "k":(2)4, ?}])"},
      {R"([{"a", "b", "c", "d", ?}, {?}], replicated={"h":(2)4, "i":(2)2})",
       R"([{"a", "b", "c", "e", ?}, {"f", "g"}])",
       R"([{"j":(1)4, ?}, {"k":(1)4, ?}])"});
  EXPECT_THAT(
      TextsOfShardings(after.operands),
      ElementsAre(R"([{"a", "b", ?}, {"h":(1)2, "i", ?}], unreduced={"c"})",
                  R"([{"b", ?}, {"f"}], replicated={"h":(1)2})",
                  R"([{"a", "b", "c", ?}, {"j":(1)8, "k":(2)4, ?}])"));
  EXPECT_THAT(
      TextsOfShardings(after.results),
      ElementsAre(R"([{"a", "b", "c", "d", ?}, {"h":(1)2, "i":(1)2, ?}], )"
                  R"(replicated={"h":(2)4, "i":(2)2})",
                  R"([{"a", "b", "c", "e", ?}, {"f", "g"}])",
                  R"([{"j":(1)8, ?}, {"k":(1)4, ?}])"));
}

TEST(AggressivePropagation, EachTensorTakesWhatItCan) {
  const OpShardings after = Propagated(
      "([i, j, k, l], [i, j, k, l], [i, j, k, l])->([i, j, k, l], [i, j, k, "
      "l]) {i=1, j=1, k=1, l=1}",
      {R"([{"a", "b", "c", ?}, {?}, {}, {?}], replicated={"d"})",
       R"([{?}, {"b", "a", ?}, {?}, {"d", ?}])",
       R"([{}, {?}, {"c", "a", ?}, {?}])"},
      {"[{?}, {}, {?}, {?}]", R"([{"a", "b", "d", ?}, {?}, {?}, {?}])"});
  EXPECT_THAT(
      TextsOfShardings(after.operands),
      ElementsAre(R"([{"a", "b", "c", ?}, {?}, {}, {?}], replicated={"d"})",
                  R"([{?}, {"b", "a", ?}, {"c", ?}, {"d", ?}])",
                  R"([{}, {"b", ?}, {"c", "a", ?}, {"d", ?}])"));
  EXPECT_THAT(TextsOfShardings(after.results),
              ElementsAre(R"([{"a", "b", ?}, {}, {"c", ?}, {"d", ?}])",
                          R"([{"a", "b", "d", ?}, {?}, {"c", ?}, {?}])"));
}

}  // namespace
}  // namespace lockstep::internal
