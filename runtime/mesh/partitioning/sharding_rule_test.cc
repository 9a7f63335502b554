// S-11, S-12, S-13 and S-14 of docs/behaviour/partitioning.md.
#include "runtime/mesh/partitioning/sharding_rule.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/mesh/builders/builders_testing.h"
#include "runtime/mesh/partitioning/fsdp_sharding_rule.h"
#include "runtime/mesh/partitioning/tree_path_sharding_rule.h"

namespace lockstep::internal {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

LeafShape Leaf(std::string path, const std::vector<int64_t>& dims,
               ElementType type = ElementType::kF32) {
  return {std::move(path), Shape(type, dims)};
}

PartitionSpec SpecOf(const ShardingRule& rule, const LeafShape& leaf) {
  const auto specs = rule.Apply({leaf});
  EXPECT_TRUE(specs.ok()) << specs.status();
  if (!specs.ok()) return PartitionSpec();
  EXPECT_EQ(specs->size(), 1);
  return specs->at(0);
}

// The spec of `rank` dimensions with 'fsdp' in one of them; none: ().
PartitionSpec Fsdp(int64_t rank, std::optional<int64_t> dim) {
  if (!dim.has_value()) return PartitionSpec();
  std::vector<SpecEntry> entries(rank);
  entries[*dim] = "fsdp";
  return PartitionSpec::FromEntries(std::move(entries));
}

TEST(FsdpShardingRule, GoldenValues_S11) {
  constexpr int64_t k2e20 = 1 << 20;
  constexpr std::nullopt_t none = std::nullopt;
  const struct {
    std::vector<int64_t> dims;
    std::optional<int64_t> axis_size;
    int64_t min_size;
    std::optional<int64_t> sharded;
  } cases[] = {
      {{1024, 1024}, 4, 1024, 0},
      {{1025, 1024}, 4, 1024, 1},
      {{1025, 1025}, 4, 1024, none},
      {{1020}, 4, 1024, none},
      {{2048}, 4, 1024, 0},
      {{16, 16}, 4, 1024, none},
      {{}, 4, 1024, none},
      {{1024, 4096}, 8, k2e20, 1},
      {{3, 4096, 4096}, 8, k2e20, 1},
      {{50257, 768}, 8, k2e20, 1},
      {{1048576}, 3, k2e20, none},
      {{1000, 3000}, none, k2e20, 0},
      {{1536, 1024}, none, k2e20, 1},
      {{30522, 1024}, none, k2e20, 1},
      {{1025, 1025}, none, k2e20, 0},
      {{1023, 1025}, none, k2e20, none},
      {{1, 1048577}, none, k2e20, 1},
      {{1048576}, none, k2e20, 0},
      {{1048575}, none, k2e20, none},
      {{7, 7, 512, 512}, none, k2e20, 2},
      {{64, 128, 3, 3}, 16, 1 << 10, 1},
      {{6, 10, 15}, 5, 100, 2},
      // Nothing is longer than 1; nothing is there.
      {{1, 1}, none, 0, none},
      {{}, none, 0, none},
      {{0, 8}, none, 0, none},
      {{0, 8}, 4, 0, 1},
  };
  for (const auto& c : cases) {
    const FsdpShardingRule rule(
        {.axis_size = c.axis_size, .min_size = c.min_size});
    const LeafShape leaf = Leaf("w", c.dims);
    EXPECT_EQ(SpecOf(rule, leaf),
              Fsdp(static_cast<int64_t>(c.dims.size()), c.sharded))
        << leaf.shape << " " << c.axis_size.value_or(0);
  }
}

TEST(FsdpShardingRule, TakesTheNameOfItsAxis_S11) {
  EXPECT_EQ(SpecOf(FsdpShardingRule({.axis_name = "dp", .min_size = 1}),
                   Leaf("w", {3, 4})),
            PartitionSpec(nullptr, "dp"));
  EXPECT_EQ(SpecOf(FsdpShardingRule(), Leaf("w", {1024, 1024})),
            PartitionSpec("fsdp", nullptr));
  EXPECT_EQ(SpecOf(FsdpShardingRule(), Leaf("w", {1024, 1023})),
            PartitionSpec());
}

TEST(FsdpShardingRule, RefusesAnAxisWithoutDevices_S11) {
  EXPECT_THAT(
      MessageOf(
          FsdpShardingRule({.axis_size = 0}).Apply({Leaf("w", {4})}).status(),
          kInvalid),
      AllOf(HasSubstr("fsdp"), HasSubstr("0")));
}

using Rules = std::vector<std::pair<std::string, PartitionSpec>>;

TreePathShardingRule PathRule(const Rules& rules, bool strict = true) {
  return *TreePathShardingRule::Create(rules, strict);
}

std::vector<LeafShape> SomeTree() {
  return {Leaf("a", {16, 16}), Leaf("b/c", {16, 16}), Leaf("b/d", {16, 16}),
          Leaf("e", {})};
}

TEST(TreePathShardingRule, TheFirstExpressionThatIsFound_S12) {
  const TreePathShardingRule rule = PathRule({{"a", PartitionSpec("x", "y")},
                                              {"b/c", PartitionSpec("x")},
                                              {"b/d", PartitionSpec("y")}});
  EXPECT_THAT(rule.Apply(SomeTree()).value(),
              ElementsAre(PartitionSpec("x", "y"), PartitionSpec("x"),
                          PartitionSpec("y"), PartitionSpec()));
  EXPECT_EQ(SpecOf(PathRule({{"kernel", PartitionSpec("x")},
                             {"mlp/kernel", PartitionSpec("y")}}),
                   Leaf("mlp/kernel", {2, 2})),
            PartitionSpec("x"));
}

TEST(TreePathShardingRule, PathsWithoutARule_S12) {
  const Rules rules = {{"a", PartitionSpec("x", "y")},
                       {"b/c", PartitionSpec("x")}};
  EXPECT_THAT(MessageOf(PathRule(rules).Apply(SomeTree()).status(), kInvalid),
              AllOf(HasSubstr("'b/d'"), HasSubstr("'b/c'")));
  EXPECT_THAT(PathRule(rules, false).Apply(SomeTree()).value(),
              ElementsAre(PartitionSpec("x", "y"), PartitionSpec("x"),
                          PartitionSpec(), PartitionSpec()));
}

TEST(TreePathShardingRule, ExpressionsAreNotAnchored_S12) {
  const LeafShape leaf = Leaf("b/alpha", {2});
  EXPECT_EQ(SpecOf(PathRule({{"a", PartitionSpec("x")}}), leaf),
            PartitionSpec("x"));
  EXPECT_EQ(SpecOf(PathRule({{"^a$", PartitionSpec("x")}}, false), leaf),
            PartitionSpec());
  EXPECT_EQ(SpecOf(PathRule({{"^a$", PartitionSpec("x")}}), Leaf("a", {2})),
            PartitionSpec("x"));
}

TEST(TreePathShardingRule, ArraysOfOneElementAreNotSharded_S12) {
  const TreePathShardingRule rule = PathRule({{".*", PartitionSpec("x")}});
  EXPECT_EQ(SpecOf(rule, Leaf("a", {})), PartitionSpec());
  EXPECT_EQ(SpecOf(rule, Leaf("a", {1, 1})), PartitionSpec());
  EXPECT_EQ(SpecOf(rule, Leaf("a", {2})), PartitionSpec("x"));
  EXPECT_EQ(SpecOf(rule, Leaf("a", {0})), PartitionSpec("x"));
  EXPECT_EQ(SpecOf(PathRule({}), Leaf("a", {1})), PartitionSpec());
}

TEST(TreePathShardingRule, RulesOfALanguageModel_S12) {
  const PartitionSpec both("fsdp", "tp");
  const TreePathShardingRule rule =
      PathRule({{"mlp/(up|gate)_proj/kernel", both},
                {"self_attn/(k|q|v)_proj/kernel", both},
                {"norm", PartitionSpec()}});
  for (const char* path :
       {"layers/0/mlp/up_proj/kernel", "layers/3/mlp/gate_proj/kernel",
        "layers/1/self_attn/q_proj/kernel"}) {
    EXPECT_EQ(SpecOf(rule, Leaf(path, {64, 64})), both);
  }
  EXPECT_EQ(SpecOf(rule, Leaf("layers/0/input_norm/scale", {64})),
            PartitionSpec());
  EXPECT_THAT(
      MessageOf(rule.Apply({Leaf("layers/0/mlp/down_proj/kernel", {64, 64})})
                    .status(),
                kInvalid),
      HasSubstr("down_proj"));
}

TEST(TreePathShardingRule, RefusesWhatIsNoRegularExpression_S12) {
  const Rules rules = {{"a", PartitionSpec()}, {"b(", PartitionSpec()}};
  EXPECT_THAT(MessageOf(TreePathShardingRule::Create(rules).status(), kInvalid),
              AllOf(HasSubstr("rule 1"), HasSubstr("'b('")));
}

TEST(PolicyShardingRule, DecidesForEachLeaf_S13) {
  const PolicyShardingRule rule(
      [](const std::string& path, const Shape& shape) {
        if (path == "a") return PartitionSpec("x");
        if (shape.element_type() == ElementType::kS32)
          return PartitionSpec("y");
        if (shape.rank() == 0) return PartitionSpec("z");
        return PartitionSpec();
      });
  EXPECT_THAT(rule.Apply({Leaf("a", {4}), Leaf("b", {4}, ElementType::kS32),
                          Leaf("c/0", {}), Leaf("c/1", {4})})
                  .value(),
              ElementsAre(PartitionSpec("x"), PartitionSpec("y"),
                          PartitionSpec("z"), PartitionSpec()));
}

TEST(PolicyShardingRule, ErrorsNameTheLeaf_S13) {
  const PolicyShardingRule rule(
      [](const std::string&, const Shape&) -> absl::StatusOr<PartitionSpec> {
        return absl::UnimplementedError("no");
      });
  EXPECT_EQ(rule.Apply({Leaf("a/b", {4})}).status(),
            absl::UnimplementedError("a/b: no"));
  EXPECT_EQ(rule.Apply({Leaf("", {4})}).status(),
            absl::UnimplementedError("no"));
  EXPECT_EQ(rule.ApplyAt("1", {Leaf("a/b", {4})}).status(),
            absl::UnimplementedError("1/a/b: no"));
  EXPECT_EQ(FsdpShardingRule({.axis_size = 0})
                .ApplyAt("1", {Leaf("a/b", {4})})
                .status()
                .message(),
            "1: axis fsdp has the axis_size 0, expected at least 1");
}

// Only the largest array of a tree is sharded.
class LargestOnly : public ShardingRule {
 public:
  absl::StatusOr<std::vector<PartitionSpec>> Apply(
      absl::Span<const LeafShape> leaves) const override {
    std::vector<PartitionSpec> specs(leaves.size());
    size_t largest = 0;
    for (size_t i = 0; i < leaves.size(); ++i) {
      if (leaves[i].shape.element_count() >
          leaves[largest].shape.element_count()) {
        largest = i;
      }
    }
    if (!leaves.empty()) specs[largest] = PartitionSpec("x");
    return specs;
  }
};

TEST(ShardingRule, OwnRulesSeeTheWholeTree_S14) {
  EXPECT_THAT(
      LargestOnly()
          .Apply({Leaf("a", {4}), Leaf("b", {8}), Leaf("c", {2, 2})})
          .value(),
      ElementsAre(PartitionSpec(), PartitionSpec("x"), PartitionSpec()));
}

}  // namespace
}  // namespace lockstep::internal
