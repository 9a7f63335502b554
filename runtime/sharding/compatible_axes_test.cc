// Y-15 of docs/behaviour/shardings.md: which axes are propagated.
#include "runtime/sharding/compatible_axes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "runtime/ir/op_sharding_rule.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/sharding/op_sharding_testing.h"
#include "runtime/sharding/sharding_projection.h"

namespace lockstep::internal {
namespace {

constexpr PropagationDirection kNone = PropagationDirection::kNone;
constexpr PropagationDirection kForward = PropagationDirection::kForward;
constexpr PropagationDirection kBackward = PropagationDirection::kBackward;
constexpr PropagationDirection kBoth = PropagationDirection::kBoth;

AbstractMesh Mesh() {
  return MeshOfText(R"(<["a"=8, "b"=2, "c"=2, "d"=6, "e"=1]>)").abstract();
}

// Of two operands and a result of one dim.
std::string Compatible(absl::string_view lhs, absl::string_view rhs,
                       absl::string_view result,
                       PropagationDirection direction = kBoth) {
  const OpShardingRule rule = RuleOfText("([i], [i])->([i]) {i=64}");
  const auto dim = [](absl::string_view axes) {
    return ShardingOfText(absl::StrCat("[{", axes, "}]"));
  };
  const ShardingProjection projection = ProjectShardings(
      rule, {.operands = {dim(lhs), dim(rhs)}, .results = {dim(result)}},
      Mesh());
  return AxisRefsText(CompatibleMajorAxes(projection, 0, direction));
}

TEST(CompatibleMajorAxes, AreTheLongestThatNoTensorContradicts) {
  EXPECT_EQ(Compatible(R"("a")", R"("a", "b")", ""), R"("a", "b")");
  EXPECT_EQ(Compatible(R"("a", "b")", R"("a")", ""), R"("a", "b")");
  EXPECT_EQ(Compatible(R"("a", "b")", R"("a", "c")", ""), R"("a")");
  EXPECT_EQ(Compatible(R"("a")", R"("b")", ""), "");
  // After a contradiction nothing is added.
  EXPECT_EQ(Compatible(R"("a", "b")", R"("a", "c")", R"("a", "b")"), R"("a")");
}

TEST(CompatibleMajorAxes, GrowTheLastSubAxis) {
  EXPECT_EQ(Compatible(R"("a":(1)2)", R"("a":(1)4)", ""), R"("a":(1)4)");
  EXPECT_EQ(Compatible(R"("a":(1)4)", R"("a":(1)2)", ""), R"("a":(1)4)");
  EXPECT_EQ(Compatible(R"("a":(1)4, "b")", R"("a":(1)2)", ""),
            R"("a":(1)4, "b")");
  EXPECT_EQ(Compatible(R"("a":(1)2, "b")", R"("a":(1)4, "b")", ""),
            R"("a":(1)2)");
  EXPECT_EQ(Compatible(R"("a":(1)4, "b")", R"("a":(1)2, "b")", ""),
            R"("a":(1)2)");
  EXPECT_EQ(Compatible(R"("a":(1)2)", R"("a":(2)2)", ""), "");
}

TEST(CompatibleMajorAxes, ComeFromOneSideAndAreCutByTheOther) {
  EXPECT_EQ(Compatible(R"("a")", "", R"("a", "b")", kForward), R"("a")");
  EXPECT_EQ(Compatible(R"("a")", "", R"("a", "b")", kBackward), R"("a", "b")");
  EXPECT_EQ(Compatible(R"("a", "c")", "", R"("a", "b")", kBackward), R"("a")");
  EXPECT_EQ(Compatible(R"("a", "b")", "", "", kBackward), "");
  EXPECT_EQ(Compatible(R"("a":(1)2)", "", R"("a":(1)4)", kForward),
            R"("a":(1)2)");
  EXPECT_EQ(Compatible(R"("a", "b")", R"("a")", R"("a")", kNone), "");
}

std::string Within(const AxisRef& axis, absl::string_view sharding,
                   int64_t shards_before = 1) {
  const OpShardingRule rule = RuleOfText("([ij])->([i, j]) {i=8, j=8}");
  const TensorFactorShardings tensor =
      ProjectTensor(rule, rule.operands()[0], ShardingOfText(sharding), Mesh());
  const std::optional<AxisRef> prefix = PrefixWithinFactor(
      axis, tensor, {.index = 0, .size = 8}, shards_before, Mesh());
  return prefix.has_value() ? prefix->ToString() : "none";
}

TEST(PrefixWithinFactor, IsWhatAnOpenFactorCanTake) {
  const AxisRef a("a");
  EXPECT_EQ(Within(a, "[{?}]"), R"("a")");
  EXPECT_EQ(Within(a, "[{}]"), "none");
  EXPECT_EQ(Within(a, R"([{"a"}])"), R"("a")");
  EXPECT_EQ(Within(a, R"([{"a":(1)2}])"), R"("a":(1)2)");
  EXPECT_EQ(Within(a, R"([{"a":(1)2, ?}])"), R"("a")");
  EXPECT_EQ(Within(a, R"([{?}], replicated={"a"})"), "none");
  EXPECT_EQ(Within(a, R"([{?}], replicated={"a":(2)4})"), R"("a":(1)2)");
  EXPECT_EQ(Within(a, R"([{?}], unreduced={"a":(4)2})"), R"("a":(1)4)");
}

TEST(PrefixWithinFactor, DividesAFactorThatIsNotMinorMost) {
  EXPECT_EQ(Within(AxisRef("a"), R"([{"b", ?}])", 2), R"("a":(1)4)");
  EXPECT_EQ(Within(AxisRef("d"), "[{?}]"), R"("d":(1)2)");
  EXPECT_EQ(Within(AxisRef("d", 2, 3), "[{?}]"), "none");
  EXPECT_EQ(Within(AxisRef("b"), "[{?}]", 3), "none");
  // "d" overflows: (1)2 is in the factor, (2)3 is not.
  EXPECT_EQ(Within(AxisRef("b"), R"([{"d", ?}])", 2), "none");
}

TEST(PrefixWithinFactor, OfOneDeviceIsNoneWhereTheFactorIsFilled) {
  EXPECT_EQ(Within(AxisRef("e"), R"([{"b", ?}])", 2), R"("e")");
  EXPECT_EQ(Within(AxisRef("e"), R"([{"a", ?}])", 8), "none");
}

TEST(PrefixAcrossFactors, LeavesTheAxesOfOtherFactors) {
  const OpShardingRule rule = RuleOfText(
      "([i, jk])->([i, j, k]) {i=8, j=8, "
      "k=8}");
  const auto across = [&](const AxisRef& axis, absl::string_view sharding) {
    const TensorFactorShardings tensor = ProjectTensor(
        rule, rule.operands()[0], ShardingOfText(sharding), Mesh());
    const std::optional<AxisRef> prefix = PrefixAcrossFactors(axis, tensor, 0);
    return prefix.has_value() ? prefix->ToString() : "none";
  };
  EXPECT_EQ(across(AxisRef("a"), R"([{}, {"b"}])"), R"("a")");
  EXPECT_EQ(across(AxisRef("a"), R"([{"a"}, {}])"), R"("a")");
  EXPECT_EQ(across(AxisRef("a"), R"([{}, {"a":(1)2}])"), "none");
  EXPECT_EQ(across(AxisRef("a"), R"([{}, {"a":(4)2}])"), R"("a":(1)4)");
  EXPECT_EQ(across(AxisRef("d"), R"([{}, {"d":(2)3}])"), R"("d":(1)2)");
  // No split of "d" has both.
  EXPECT_EQ(across(AxisRef("d", 1, 2), R"([{}, {"d":(3)2}])"), "none");
}

TEST(TruncateAxes, EndsTheListWhereAnAxisIsCut) {
  const auto truncated = [](std::optional<AxisRef> second,
                            SubAxes sub_axes = SubAxes::kAllowed) {
    std::vector<AxisRef> axes = {AxisRef("b"), AxisRef("a"), AxisRef("c")};
    TruncateAxes(
        [&](const AxisRef& axis, int64_t shards_before) {
          EXPECT_EQ(shards_before, axis.name() == "b"   ? 1
                                   : axis.name() == "a" ? 2
                                                        : 16);
          return axis.name() == "a" ? second : axis;
        },
        sub_axes, Mesh(), axes);
    return AxisRefsText(axes);
  };
  EXPECT_EQ(truncated(AxisRef("a")), R"("b", "a", "c")");
  EXPECT_EQ(truncated(AxisRef("a", 1, 2)), R"("b", "a":(1)2)");
  EXPECT_EQ(truncated(std::nullopt), R"("b")");
  EXPECT_EQ(truncated(AxisRef("a"), SubAxes::kRefused), R"("b", "a", "c")");
  EXPECT_EQ(truncated(AxisRef("a", 1, 2), SubAxes::kRefused), R"("b")");
}

TEST(TruncateAxes, AsksAgainForWhatIsLeft) {
  std::vector<AxisRef> axes = {AxisRef("a"), AxisRef("b")};
  TruncateAxes(
      [](const AxisRef& axis, int64_t) {
        const int64_t size = axis.Size(Mesh());
        return size == 2 ? axis : AxisRef("a", 1, size / 2);
      },
      SubAxes::kAllowed, Mesh(), axes);
  EXPECT_EQ(AxisRefsText(axes), R"("a":(1)2)");
}

}  // namespace
}  // namespace lockstep::internal
