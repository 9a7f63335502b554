// Y-22 of docs/behaviour/shardings.md: lists of axes.
#include "runtime/sharding/axis_list.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "runtime/mesh/abstract_mesh.h"
#include "runtime/mesh/sharding/axis_ref.h"
#include "runtime/mesh/sharding/sharding_testing.h"
#include "runtime/sharding/op_sharding_testing.h"

namespace lockstep::internal {
namespace {

AbstractMesh Mesh() {
  return MeshOfText(R"(<["a"=8, "b"=2, "c"=3, "d"=12, "e"=1]>)").abstract();
}

std::vector<AxisRef> Axes(absl::string_view text) {
  return ShardingOfText(absl::StrCat("[{", text, "}]"))->dims[0].axes;
}

TEST(AxisList, CountsShards) {
  EXPECT_EQ(ShardCount({}, Mesh()), 1);
  EXPECT_EQ(ShardCount(Axes(R"("a":(2)4, "e", "c")"), Mesh()), 12);
}

TEST(AxisList, AppendMergesWhereTheListsMeet) {
  const auto appended = [](absl::string_view axes, absl::string_view more) {
    std::vector<AxisRef> all = Axes(axes);
    AppendAxes(Axes(more), Mesh(), all);
    return AxisRefsText(all);
  };
  EXPECT_EQ(appended("", R"("a")"), R"("a")");
  EXPECT_EQ(appended(R"("a")", ""), R"("a")");
  EXPECT_EQ(appended(R"("a":(1)2)", R"("a":(2)2, "b")"), R"("a":(1)4, "b")");
  EXPECT_EQ(appended(R"("b", "a":(1)2)", R"("a":(2)4)"), R"("b", "a")");
  EXPECT_EQ(appended(R"("a":(1)2)", R"("a":(4)2)"), R"("a":(1)2, "a":(4)2)");
}

TEST(AxisList, ConflictsAreOverlapsAndPartsThatDoNotFit) {
  EXPECT_FALSE(AnyConflict(Axes(R"("a", "b")"), Axes(R"("c")")));
  EXPECT_FALSE(AnyConflict(Axes(R"("a":(1)2)"), Axes(R"("a":(2)2)")));
  EXPECT_TRUE(AnyConflict(Axes(R"("b", "a":(1)4)"), Axes(R"("c", "a":(2)4)")));
  EXPECT_TRUE(AnyConflict(Axes(R"("d":(1)2)"), Axes(R"("d":(3)2)")));
}

TEST(AxisList, IsTruncatedBeforeTheFirstConflict) {
  const auto truncated = [](absl::string_view axes, absl::string_view others) {
    std::vector<AxisRef> left = Axes(axes);
    const bool is_less = TruncateBefore(Axes(others), left);
    return absl::StrCat(is_less ? "less: " : "all: ", AxisRefsText(left));
  };
  EXPECT_EQ(truncated(R"("a", "b", "c")", R"("b")"), R"(less: "a")");
  EXPECT_EQ(truncated(R"("b", "a", "c")", R"("a":(4)2)"),
            R"(less: "b", "a":(1)4)");
  EXPECT_EQ(truncated(R"("a")", R"("a":(1)2)"), "less: ");
  EXPECT_EQ(truncated(R"("b", "d":(1)2)", R"("d":(3)2)"), R"(less: "b")");
  EXPECT_EQ(truncated(R"("a":(1)2)", R"("a":(2)2, "b")"), R"(all: "a":(1)2)");
}

TEST(AxisList, CommonPrefixMayEndWithPartOfAnAxis) {
  const auto common = [](absl::string_view a, absl::string_view b) {
    const std::string text = AxisRefsText(CommonPrefix(Axes(a), Axes(b)));
    EXPECT_EQ(AxisRefsText(CommonPrefix(Axes(b), Axes(a))), text);
    return text;
  };
  EXPECT_EQ(common(R"("a", "b")", R"("a", "c")"), R"("a")");
  EXPECT_EQ(common(R"("a", "b")", R"("a")"), R"("a")");
  EXPECT_EQ(common(R"("b", "a":(1)2, "c")", R"("b", "a")"), R"("b", "a":(1)2)");
  EXPECT_EQ(common(R"("a":(1)2)", R"("a":(2)2)"), "");
}

TEST(AxisList, WithoutOthersKeepsWhatIsLeftOfEachAxis) {
  const auto without = [](absl::string_view axes, absl::string_view others) {
    return AxisRefsText(AxesWithout(Axes(axes), Axes(others), Mesh()));
  };
  EXPECT_EQ(without(R"("a", "b")", R"("a")"), R"("b")");
  EXPECT_EQ(without(R"("a", "b")", R"("a":(2)2)"),
            R"("a":(1)2, "a":(4)2, "b")");
  EXPECT_EQ(without(R"("a":(1)4)", R"("a":(2)4)"), R"("a":(1)2)");
  EXPECT_EQ(without(R"("a")", R"("a":(1)2, "a":(4)2)"), R"("a":(2)2)");
  EXPECT_EQ(without(R"("a":(2)2)", R"("a")"), "");
  EXPECT_EQ(without(R"("d":(1)2)", R"("d":(1)3)"), R"("d":(1)2)");
}

TEST(AxisList, IsSortedByTheMeshAndMerged) {
  EXPECT_EQ(AxisRefsText(SortedAndMerged(
                Axes(R"("c", "a":(2)2, "b", "a":(1)2)"), Mesh())),
            R"("a":(1)4, "b", "c")");
}

}  // namespace
}  // namespace lockstep::internal
