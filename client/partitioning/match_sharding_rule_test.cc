// S-5 and S-14 of docs/behaviour/partitioning.md.
#include "client/partitioning/match_sharding_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/trees/tree_map.h"
#include "client/trees/tree_structs_testing.h"
#include "runtime/mesh/mesh_testing.h"
#include "runtime/mesh/partitioning/fsdp_sharding_rule.h"
#include "runtime/mesh/partitioning/tree_path_sharding_rule.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Rules = Tree<RuleOrSpec>;
using RuleMap = std::map<std::string, RuleOrSpec>;
using Shapes = Tree<Shape>;
using Shardings = Tree<NamedSharding>;

Mesh TestMesh() { return MeshOf(WorldOf(1, 8), {2, 4}, {"x", "y"}); }

Shape Square() { return Shape(ElementType::kF32, {16, 16}); }

// {'a': .., 'b': {'c': .., 'd': ..}}.
Shapes Nested() {
  return Shapes::Map({{"a", Square()},
                      {"b", Shapes::Map({{"c", Square()}, {"d", Square()}})}});
}

// "a PartitionSpec('x',)", of all leaves.
std::vector<std::string> SpecsOf(const absl::StatusOr<Shardings>& shardings) {
  std::vector<std::string> specs;
  EXPECT_TRUE(shardings.ok()) << shardings.status();
  if (!shardings.ok()) return specs;
  shardings->Transform([&](const NamedSharding& s, const std::string& path) {
    EXPECT_EQ(s.mesh(), TestMesh());
    specs.push_back(absl::StrCat(path, " ", s.spec().ToString()));
    return 0;
  });
  return specs;
}

TreePathShardingRule PathRule() {
  return *TreePathShardingRule::Create({{"^a$", PartitionSpec("x", "y")},
                                        {"^b/c", PartitionSpec("y", "x")},
                                        {"d", PartitionSpec()}});
}

TEST(MatchShardingRule, ASpecHoldsForAllBelowIt_S5) {
  EXPECT_THAT(
      SpecsOf(match_sharding_rule(PartitionSpec("x"), Nested(), TestMesh())),
      ElementsAre("a PartitionSpec('x',)", "b/c PartitionSpec('x',)",
                  "b/d PartitionSpec('x',)"));
}

TEST(MatchShardingRule, ARuleSeesPathsFromItsPlace_S5) {
  EXPECT_THAT(
      SpecsOf(match_sharding_rule(PathRule(), Nested(), TestMesh())),
      ElementsAre("a PartitionSpec('x', 'y')", "b/c PartitionSpec('y', 'x')",
                  "b/d PartitionSpec()"));
  EXPECT_THAT(
      SpecsOf(match_sharding_rule(std::tuple(PathRule(), PartitionSpec()),
                                  std::tuple(Nested(), Square()), TestMesh())),
      ElementsAre("0/a PartitionSpec('x', 'y')",
                  "0/b/c PartitionSpec('y', 'x')", "0/b/d PartitionSpec()",
                  "1 PartitionSpec()"));
  // Not in a tuple it sees the whole path.
  EXPECT_THAT(match_sharding_rule(PathRule(), std::tuple(Nested()), TestMesh())
                  .status()
                  .message(),
              HasSubstr("'0/a'"));
}

TEST(MatchShardingRule, WhereThereIsNothingShardingsAreOpen_S5) {
  const FsdpShardingRule fsdp({.axis_name = "y", .min_size = 1});
  const auto open = match_sharding_rule(
      Rules::Map(
          {{"a", RuleOrSpec(nullptr)},
           {"b", Rules::Map({{"c", Rules()}, {"d", RuleOrSpec(fsdp)}})}}),
      Nested(), TestMesh());
  EXPECT_THAT(SpecsOf(open), ElementsAre("b/d PartitionSpec('y', None)"));
  ASSERT_TRUE(open.ok());
  EXPECT_EQ(tree_structure(*open).ToString(),
            "PyTreeDef({'a': None, 'b': {'c': None, 'd': *}})");
  EXPECT_THAT(SpecsOf(match_sharding_rule(nullptr, Nested(), TestMesh())),
              ElementsAre());
}

TEST(MatchShardingRule, TakesContainersOfArrays_S5) {
  const std::map<std::string, Layer<Array>> params = {
      {"first", {*Array::FromValues<float>({2, 2}, {1, 2, 3, 4}), {}}},
      {"second", {Array({1.f, 2.f}), Array({3.f})}}};
  const auto rule =
      TreePathShardingRule::Create({{"weight", PartitionSpec("x")}});
  EXPECT_THAT(SpecsOf(match_sharding_rule(*rule, params, TestMesh())),
              ElementsAre("first/weight PartitionSpec('x',)",
                          "second/bias PartitionSpec()",
                          "second/weight PartitionSpec('x',)"));
}

TEST(MatchShardingRule, NamesWhereRulesAreNoPrefix_S5) {
  const auto message = [](const auto& rules) {
    const auto refused = match_sharding_rule(rules, Nested(), TestMesh());
    EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(refused.status().message());
  };
  EXPECT_THAT(message(Rules::Map(
                  {{"a", Rules()}, {"b", Rules::List({Rules(), Rules()})}})),
              AllOf(HasSubstr("'b'"), HasSubstr("a list of 2"),
                    HasSubstr("a map of {c, d}")));
  EXPECT_THAT(message(RuleMap{{"a", nullptr}, {"c", nullptr}}),
              AllOf(HasSubstr("''"), HasSubstr("{a, c}"), HasSubstr("{a, b}")));
  EXPECT_THAT(message(Rules::Map({{"a", Rules::Map({})}, {"b", Rules()}})),
              AllOf(HasSubstr("'a'"), HasSubstr("a leaf")));
}

TEST(MatchShardingRule, ErrorsOfRulesHaveTheirPlace_S5) {
  const auto strict = match_sharding_rule(
      std::tuple(PartitionSpec(),
                 *TreePathShardingRule::Create({{"a", PartitionSpec()}})),
      std::tuple(Square(), Nested()), TestMesh());
  EXPECT_THAT(strict.status().message(),
              AllOf(HasSubstr("1: "), HasSubstr("'b/c'")));
  const PolicyShardingRule policy(
      [](const std::string&, const Shape&) -> absl::StatusOr<PartitionSpec> {
        return absl::UnimplementedError("no");
      });
  const std::tuple second(PartitionSpec(), policy);
  EXPECT_EQ(
      match_sharding_rule(second, std::tuple(Square(), Nested()), TestMesh())
          .status(),
      absl::UnimplementedError("1/a: no"));
  EXPECT_EQ(
      match_sharding_rule(second, std::tuple(Square(), Square()), TestMesh())
          .status(),
      absl::UnimplementedError("1: no"));
  EXPECT_EQ(match_sharding_rule(policy, Nested(), TestMesh()).status(),
            absl::UnimplementedError("a: no"));
  EXPECT_EQ(match_sharding_rule(policy, Square(), TestMesh()).status(),
            absl::UnimplementedError("no"));
  const auto unknown =
      match_sharding_rule(RuleMap{{"a", nullptr}, {"b", PartitionSpec("foo")}},
                          Nested(), TestMesh());
  EXPECT_EQ(unknown.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(unknown.status().message(),
              AllOf(HasSubstr("b/c: "), HasSubstr("'foo'"), HasSubstr("'x'")));
}

// A rule of a program, not to be copied.
class FirstLeafRule : public ShardingRule {
 public:
  explicit FirstLeafRule(size_t count) : count_(count) {}
  FirstLeafRule(const FirstLeafRule&) = delete;
  absl::StatusOr<std::vector<PartitionSpec>> Apply(
      absl::Span<const LeafShape> leaves) const override {
    std::vector<PartitionSpec> specs(count_);
    if (!leaves.empty()) specs[0] = PartitionSpec("y");
    return specs;
  }

 private:
  const size_t count_;
};

TEST(MatchShardingRule, RulesOfProgramsDecideForTheWholeTree_S14) {
  EXPECT_THAT(SpecsOf(match_sharding_rule(std::make_shared<FirstLeafRule>(3),
                                          Nested(), TestMesh())),
              ElementsAre("a PartitionSpec('y',)", "b/c PartitionSpec()",
                          "b/d PartitionSpec()"));
  const auto refused = match_sharding_rule(
      std::make_shared<const FirstLeafRule>(2), Nested(), TestMesh());
  EXPECT_EQ(refused.status(),
            absl::InvalidArgumentError("the rule gives 2 specs for 3 leaves"));
}

}  // namespace
}  // namespace lockstep::internal
